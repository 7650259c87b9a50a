"""What a reading may be made of: clauses, operators, types, and the functions that only compute from their arguments.

None of them reaches a file, the network, a setting, a sequence or a catalog, sleeps, or has a result without end.
"""

from __future__ import annotations

from typing import Any

KEYS = frozenset(
    """
    abs acos acosh add_months and anyvalue argmax argmin array arrayagg arrayall arrayany arraycontains
    arraycontainsall arraymax arraymin arrayoverlaps arraysize arraysum arraytostring asin asinh atan atan2 atanh avg
    bitwiseandagg bitwiseoragg booland boolnot boolor case cast casttostrtype cbrt ceil chr coalesce collate concat
    concatws contains corr cos cosh cot count countif covarpop covarsamp cumedist currentdate currentdatetime
    currenttime currenttimestamp date dateadd datediff datefromparts datestrtodate datesub datetime datetimeadd
    datetimediff datetimesub datetimetrunc datetodatestr datetrunc day dayname dayofmonth dayofweek dayofweekiso
    dayofyear degrees denserank endswith exists exp extract first firstvalue floor greatest groupconcat grouping hour
    if initcap isinf isnan jsonbcontains jsonbexists jsonbextract jsonbextractscalar jsonexists jsonextract
    jsonextractscalar jsontype justifydays justifyhours justifyinterval kurtosis lag last lastday lastvalue lead least
    left length ln localtime localtimestamp log logicaland logicalor lower makeinterval max median min
    minute mod mode month monthname monthsbetween nthvalue ntile nullif or percentilecont percentiledisc percentrank
    pi pow quantile quarter radians rank regexpextract regexpfullmatch regexpilike regexplike regexpreplace
    regexpsubstr regrintercept regrr2 regrslope replace reverse right round rownumber safedivide second sign sin sinh
    skewness splitpart sqrt startswith stddev stddevpop stddevsamp strposition strtodate strtotime strtounix
    structextract substring substringindex sum tan tanh time timeadd timediff timefromparts timestamp timestampadd
    timestampdiff timestampfromparts timestampsub timestamptrunc timestrtodate timestrtotime timestrtounix timesub
    timetostr timetotimestr timetounix timetrunc tochar todays todouble tonumber translate trim trunc try trycast
    tsordsadd tsordsdiff tsordstodate tsordstodatestr tsordstotime tsordstotimestamp typeof unicode unixdate
    unixseconds unixtostr unixtotime unixtotimestr upper variance variancepop week weekofyear widthbucket xor year
    yearofweek
    """.split()
)  # fmt: skip
"""Functions that sqlglot knows, by its own keys."""
NAMES = frozenset(
    """
    acos age aggregate_strings array_length array_position atan2 bool_and bool_or cardinality ceiling char char_length
    character_length clock_timestamp date date_diff date_part date_sub datetime day dayname div epoch epoch_ms every
    extract group_concat hex hour ifnull iif instr isfinite isoyear json_array_length json_extract json_type
    json_typeof jsonb_array_length jsonb_typeof julian julianday left len length list_contains log10 log2 lower ltrim
    make_date make_time make_timestamp max min minute mod month monthname now nullif num_nonnulls num_nulls
    percentile_cont percentile_disc position power quarter quote random round round_even rtrim second sign starts_with
    statement_timestamp strftime string_agg strip_accents strpos strptime substr substring time timediff timeofday
    to_char to_date to_number to_timestamp total transaction_timestamp trim trunc truncate typeof unicode unixepoch
    upper week weekday year yearweek var_pop var_samp
    """.split()
)  # fmt: skip
"""Functions that sqlglot passes on by name."""
PARTS = frozenset(
    """
    add alias all any atindex attimezone between bitstring bitwiseand bitwiseleftshift bitwisenot bitwiseor
    bitwiserightshift bitwisexor boolean bracket column cte cube datatype datatypeparam distinct div dot dpipe eq escape
    except fetch filter from glob group groupingsets gt gte having havingmax hexstring identifier ignorenulls ilike in
    intdiv intersect interval intervalspan is join jsonpath jsonpathkey jsonpathroot jsonpathsubscript jsonpathwildcard
    lateral like limit literal lt lte mod mul neg neq not null nullsafeeq nullsafeneq offset order ordered paren
    propertyeq qualify respectnulls rollup select similarto slice star sub subquery table tablealias tablesample tuple
    union values var where window windowspec with withingroup
    """.split()
)  # fmt: skip
"""Clauses and operators, by sqlglot's keys."""
TYPES = frozenset(
    """
    ARRAY BIGDECIMAL BIGINT BINARY BIT BLOB BOOLEAN BPCHAR CHAR DATE DATETIME DECIMAL DOUBLE FLOAT INT INT128 INTERVAL
    JSON JSONB LIST MEDIUMINT MONEY NCHAR NULL NVARCHAR SMALLINT TEXT TIME TIMESTAMP TIMESTAMPLTZ TIMESTAMPNTZ TIMESTAMPTZ
    TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_S TIMETZ TINYINT UBIGINT UINT UINT128 USMALLINT UTINYINT UUID VARBINARY VARCHAR
    YEAR
    """.split()
)  # fmt: skip
"""Types of plain values that a cast may name."""


def allowed(function: Any) -> bool:
    """Whether a function of a syntax tree is one of these."""
    if function.key == "anonymous":
        return str(function.this).casefold() in NAMES
    return function.key in KEYS


def allowed_name(name: str) -> bool:
    """Whether a function of an expression that is not parsed but built is one of these."""
    return name.casefold() in NAMES or name.casefold().replace("_", "") in KEYS
