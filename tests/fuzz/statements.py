"""Hostile statements made from a seed, and the guard as a target: it lets a statement through, or refuses it; nothing else.

A statement grows from a small grammar of readings in which every place may hold what is not to be let through: another table,
a function by any notation, an alias that is taken for something else. Then it is broken: tokens are lost, doubled, exchanged.
"""

from __future__ import annotations

import re
from random import Random

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.statements.statement_guard import DIALECTS, guarded

CANARY = "canary-7f3a"
"""What stands in the table that no statement may read, and what every function returns that none may call."""
SCHEMAS = {"sqlite": "", "postgresql": "public", "duckdb": "main"}
TABLES = f"""
CREATE TABLE part (id integer PRIMARY KEY, name varchar(200), mass double precision, "Odd Name" varchar(200));
CREATE TABLE maker (id integer, part integer, town varchar(200));
CREATE TABLE secret (id integer, word varchar(200));
INSERT INTO part VALUES (1, 'bolt', 0.5, 'x'), (2, 'nut', 0.25, 'y'), (3, 'gear', 2, NULL);
INSERT INTO maker VALUES (1, 1, 'Lund'), (2, 3, 'Oslo');
INSERT INTO secret VALUES (1, '{CANARY}')
"""
FUNCTIONS = f"""
CREATE FUNCTION public.peek(public.part) RETURNS text LANGUAGE sql AS 'SELECT ''{CANARY}''::text';
CREATE FUNCTION public.peek(public.maker) RETURNS text LANGUAGE sql AS 'SELECT ''{CANARY}''::text';
CREATE FUNCTION public.peek(text) RETURNS text LANGUAGE sql AS 'SELECT ''{CANARY}''::text';
CREATE FUNCTION public.peek(double precision) RETURNS text LANGUAGE sql AS 'SELECT ''{CANARY}''::text';
CREATE FUNCTION public.total(double precision) RETURNS text LANGUAGE sql AS 'SELECT ''{CANARY}''::text';
CREATE FUNCTION public.looks() RETURNS SETOF text LANGUAGE sql AS 'SELECT word::text FROM public.secret'
"""
"""Functions of PostgreSQL that tell, in the schema of the tables."""
_TOKEN = re.compile(r"\s+|\w+|'[^']*'|\"[^\"]*\"|::|\|\||<=|>=|<>|.", re.DOTALL)


def database(dialect: str) -> Database:
    """A shop whose tables `part` and `maker` are listed; there is also `secret`."""
    schema = SCHEMAS[dialect]
    rowid = "" if dialect == "postgresql" else "rowid"
    part = Relation(
        "part", tuple(map(Column, ("id", "name", "mass", "Odd Name"))), schema=schema, rowid=rowid
    )
    maker = Relation(
        "maker", tuple(map(Column, ("id", "part", "town"))), schema=schema, rowid=rowid
    )
    return Database("shop", (part, maker), dialect)


def check_statement(text: str, dialect: str) -> str | None:
    """What the guard lets through of a statement, the same when it is asked again; None when it refuses it."""
    try:
        through = guarded(text, database(dialect))
    except StatementRefused:
        return None
    if guarded(through, database(dialect)) != through:
        raise AssertionError(f"let through otherwise the second time: {through}")
    return through


def guard_target(data: bytes) -> None:
    """The guard of the database that the first byte chooses, given the rest as a statement."""
    dialects = list(DIALECTS)
    check_statement(
        data[1:].decode("utf-8", "replace"), dialects[data[0] % len(dialects) if data else 0]
    )


def guard_seeds() -> list[bytes]:
    """Statements of the grammar for each database."""
    return [bytes([at % len(DIALECTS)]) + statement(Random(at)).encode() for at in range(120)]


def guard_mutant(data: bytes, random: Random) -> bytes:
    """A statement broken, or another of the grammar."""
    if random.random() < 0.2:
        return data[:1] + statement(random).encode()
    return data[:1] + broken(data[1:].decode("utf-8", "replace"), random).encode()


def statement(random: Random) -> str:
    """A statement of the grammar: a third without anything hostile, a third with some of it, a third broken."""
    kind = random.randrange(3)
    made, _ = _Grammar(random, 0.06 if kind else 0.0).query(3)
    return broken(made, random) if kind == 2 else made


def broken(text: str, random: Random) -> str:
    """A statement with some of its tokens lost, doubled, exchanged, or replaced by others."""
    tokens = _TOKEN.findall(text)
    for _ in range(random.randint(1, 4)):
        if not tokens:
            break
        at = random.randrange(len(tokens))
        change = random.randrange(6)
        if change == 0:
            del tokens[at]
        elif change == 1:
            tokens.insert(at, random.choice(tokens))
        elif change == 2:
            other = random.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif change == 3:
            tokens[at] = random.choice(PIECES)
        elif change == 4:
            tokens.insert(at, f" {random.choice(PIECES)} ")
        else:
            end = min(len(tokens), at + random.randint(1, 12))
            tokens[at:at] = tokens[at:end] * random.choice((1, 2, 30))
    return "".join(tokens)[:30_000]


PIECES = """
    ( ) , ; . * :: || '' '''' " "" $$ $a$ -- /* */ /*! # ? $1 :name @x \\ ` [ ] { } { -> ->> => ~ @@ @> <-> ^ % ! !! |/ \0 é
    \u202e E'\\'' U&"\\0073ecret" N'x' X'41' B'1' 1e999 .5 0x10 1_000 NULL DEFAULT TRUE
    SELECT FROM WHERE WITH RECURSIVE MATERIALIZED LATERAL UNION ALL EXCEPT INTERSECT VALUES TABLE ONLY ROWS GROUP BY ORDER HAVING
    LIMIT OFFSET FETCH WINDOW OVER FILTER WITHIN PARTITION QUALIFY TABLESAMPLE PIVOT UNPIVOT SUMMARIZE DESCRIBE EXPLAIN INTO
    RETURNING INSERT UPDATE DELETE DROP COPY PRAGMA ATTACH SET CALL DO MERGE FOR LOCK USING NATURAL JOIN LEFT CROSS ASOF
    POSITIONAL ON AS CASE WHEN THEN END CAST COLLATE ESCAPE LIKE GLOB MATCH REGEXP SIMILAR TO IN EXISTS ANY SOME ARRAY ROW
    OPERATOR(pg_catalog.+) secret word public.secret main.secret "secret" peek looks() peek(x) x.peek (x).peek (x).* part.* x.*
    x part maker name id
    sqlite_master pg_class information_schema.tables duckdb_tables() ctid tableoid rowid oid xmin current_user session_user
    ts_stat('SELECT word FROM secret') pg_read_file('/etc/passwd') query_to_xml('SELECT * FROM secret',true,true,'')
    read_csv('/etc/passwd') load_extension('x') 'secret'::regclass getenv('HOME') generate_series(1,9) unnest(ARRAY[1])
    COLUMNS(*) COLUMNS('.*') EXCLUDE REPLACE [1,2][1] {'a':1}.a row(1,2) part::text name.peek() lambda x: x
    (SELECT word FROM secret)
    """.split()  # fmt: skip
_COLUMNS = ["id", "name", "mass", '"Odd Name"', "id", "part", "town"]
_HIDDEN = "word peek ts_stat row_to_json ctid tableoid xmin oid upper to_json secret pg_read_file length current_user".split()
_CALLS = (
    "upper({0}::text)", "length({0}::text)", "coalesce({0}::text, {1}::text)", "nullif({0}::text, {1}::text)", "count(*)",
    "abs(length({0}::text))", "count(DISTINCT {0})", "max({0}::text)", "sum(length({0}::text))", "round(length({0}::text), 1)",
    "count({0}) FILTER (WHERE {1} IS NULL)", "max({0}::text) OVER (PARTITION BY {1})", "row_number() OVER (ORDER BY {0})",
    "string_agg({0}::text, ', ')", "trim({0}::text)", "substr({0}::text, 1, 2)", "replace({0}::text, 'a', 'b')",
)  # fmt: skip
_BAD_CALLS = "peek looks ts_stat pg_read_file query_to_xml row_to_json pg_sleep public.upper total set_config array_agg".split()
_HOSTILE = (
    "secret", "public.secret", "main.secret", "SECRET", '"secret"', "sqlite_master", "pg_class", "looks()",
    "(SELECT * FROM secret)", "LATERAL peek('a')", "upper('a')", "ROWS FROM (looks())", "read_csv('/etc/passwd')",
    "(TABLE secret)", "unnest(ARRAY[1])",
)  # fmt: skip
_TYPES = "text varchar(5) char(3)".split()
_BAD_TYPES = "regclass name public.part secret record xml regproc peek".split()
_OPERATORS = "= < > <> <= || || LIKE".split()


class _Grammar:
    """Grows a statement; `sight` are the names that FROM clauses have given so far, the latest last, with their columns."""

    def __init__(self, random: Random, bad: float) -> None:
        self.random = random
        self.bad = bad
        self.sight: list[tuple[str, list[str]]] = []
        self.ctes: dict[str, list[str]] = {}
        self.count = 0

    def often(self, share: float) -> bool:
        return self.random.random() < share

    def named(self, columns: list[str]) -> str:
        """A name for what a FROM clause lists, now and then one that is taken, with names for its columns."""
        self.count += 1
        name = (
            self.random.choice(("x", "part", "maker", "q", "secret"))
            if self.often(self.bad)
            else f"t{self.count}"
        )
        renamed = (
            self.random.sample(
                ["v", "w", "peek", "name"], min(len(columns), self.random.randint(1, 3))
            )
            if self.often(0.1)
            else []
        )
        self.sight.append((name, [*renamed, *columns[len(renamed) :]]))
        return f" AS {name}" + (f"({', '.join(renamed)})" if renamed else "")

    def item(self, depth: int) -> str:
        draw = self.random.random()
        if self.often(self.bad):
            return self.random.choice(_HOSTILE) + self.named(["v", "word"])
        if depth <= 0 or draw < 0.6:
            name = self.random.choice(["part", "maker", *self.ctes])
            columns = self.ctes.get(name) or {"part": _COLUMNS[:4], "maker": _COLUMNS[4:]}[name]
            if self.often(0.5):
                return name + self.named(columns)
            self.sight.append((name, columns))
            return name
        if draw < 0.85:
            seen = list(self.sight)
            lateral = self.often(0.3)
            self.sight = seen if lateral else []
            made, columns = self.query(depth - 1)
            self.sight = seen
            return f"{'LATERAL ' if lateral else ''}({made}){self.named(columns)}"
        if draw < 0.92:
            return f"(VALUES ({self.literal()}, {self.literal()})){self.named(['column1', 'column2'])}"
        if draw < 0.97:
            before = len(self.sight)
            made = f"({self.item(depth - 1)} JOIN {self.item(depth - 1)} ON {self.value(1)})"
            inside = [column for _, columns in self.sight[before:] for column in columns]
            if self.often(0.5):
                return made
            del self.sight[before:]
            return made + self.named(inside)
        shape = self.random.choice(
            ("{0}{1}", "LATERAL {0}{1}", "ROWS FROM ({0}){1}", "{0} WITH ORDINALITY{1}")
        )
        return shape.format(self.call(depth), self.named(["v"]))

    def column(self) -> str:
        if not self.sight or self.often(self.bad / 2):
            return self.random.choice(_HIDDEN)
        name, columns = self.random.choice(self.sight)
        column = self.random.choice(_HIDDEN if self.often(self.bad) else columns or ["v"])
        if self.often(self.bad):
            return self.random.choice(
                ("{0}", "{0}.*", "{0}.{1}.peek", "{0}::text", "({0}).{1}", "({0}.{1}).peek")
            ).format(name, column)
        return f"{name}.{column}" if self.often(0.7) else column

    def call(self, depth: int) -> str:
        if self.often(self.bad):
            return f"{self.random.choice(_BAD_CALLS)}({self.value(depth - 1)})"
        shape = self.random.choice(_CALLS)
        return shape.format(self.value(depth - 1), self.value(depth - 1))

    def value(self, depth: int) -> str:
        draw = self.random.random()
        if depth <= 0 or draw < 0.4:
            return self.column() if self.often(0.8) else self.literal()
        if draw < 0.6:
            return self.call(depth)
        if draw < 0.8:
            return f"({self.value(depth - 1)}::text {self.random.choice(_OPERATORS)} {self.value(depth - 1)}::text)"
        if draw < 0.87:
            kind = self.random.choice(_BAD_TYPES if self.often(self.bad) else _TYPES)
            return self.random.choice(("CAST({0} AS {1})", "({0})::{1}")).format(
                self.value(depth - 1), kind
            )
        if draw < 0.93:
            return f"CASE WHEN {self.value(depth - 1)} IS NULL THEN {self.value(depth - 1)} ELSE {self.value(0)} END"
        seen = list(self.sight)
        shape = self.random.choice(
            (
                "(SELECT max(i.a) FROM ({0}) AS i(a))",
                "EXISTS ({0})",
                "1 IN (SELECT 1 FROM ({0}) AS i)",
            )
        )
        made = shape.format(self.query(depth - 1)[0])
        self.sight = seen
        return made

    def literal(self) -> str:
        return self.random.choice(
            (
                "1",
                "0",
                "'x'",
                "'SELECT word FROM secret'",
                "'/etc/passwd'",
                "NULL",
                "true",
                "'secret'",
                "1.5",
            )
        )

    def select(self, depth: int, width: int = 0) -> tuple[str, list[str]]:
        """A SELECT, and the names of what it shows."""
        came = ""
        outside = len(self.sight)
        if self.often(0.95):
            came = f" FROM {self.item(depth)}"
            for _ in range(self.random.choice((0, 0, 0, 1, 2))):
                join = self.random.choice(
                    (
                        ", {0}",
                        " JOIN {0} ON true",
                        " LEFT JOIN {0} ON {1} IS NULL",
                        " CROSS JOIN {0}",
                    )
                )
                came += join.format(self.item(depth - 1), self.value(1))
        names = [
            self.random.choice(("v", "w", "name", "peek")) + str(at)
            for at in range(width or self.random.randint(1, 3))
        ]
        shown = ", ".join(f"{self.value(depth)} AS {name}" for name in names)
        if came and not width and self.often(0.15):
            shown, names = (
                "*",
                [column for _, columns in self.sight[outside:] for column in columns],
            )
        made = f"SELECT {'DISTINCT ' if self.often(0.1) else ''}{shown}{came}"
        clauses = ((0.4, " WHERE {0} IS NOT NULL"), (0.05, " GROUP BY {0}"), (0.02, " HAVING {0}"), (0.2, " ORDER BY {0}"),
                   (0.2, " LIMIT 3"), (0.02, " OFFSET {0}"), (0.02, " WINDOW w AS (ORDER BY {0})"))  # fmt: skip
        made += "".join(
            clause.format(self.value(depth - 1)) for share, clause in clauses if self.often(share)
        )
        del self.sight[outside:]
        return made, names

    def query(self, depth: int) -> tuple[str, list[str]]:
        """A query, and the names of what it shows."""
        if depth <= 0 or self.often(0.7):
            return self.select(depth)
        if self.often(0.3):
            (first, names), (second, _) = self.select(depth, 2), self.select(depth - 1, 2)
            return (
                f"{first} {self.random.choice(('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'))} {second}",
                names,
            )
        before = dict(self.ctes)
        name = self.random.choice(("c", "d", "part", "secret", "maker"))
        inside, columns = self.select(depth - 1)
        self.ctes[name] = columns
        made, names = self.select(depth)
        self.ctes = before
        return (
            f"WITH {'RECURSIVE ' if self.often(self.bad) else ''}{name} AS ({inside}) {made}",
            names,
        )
