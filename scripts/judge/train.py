"""Train the judge of evidence on a CPU, from the shipped encoder's weights.

    python scripts/judge/train.py RUN [--pairs .judge/pairs.jsonl] [--after RUN] [--fold 0] [--epochs 2] [--frozen 0]
        [--length 112] [--hours 2] [--batch 64] [--rate 1e-4] [--threads 1] [--seed 14] [--most N] [--held 4000]

RUN is a folder: `checkpoint.pt` is written every few minutes and a run that was stopped goes on from it, with the options
that it began with. Documents of fold 0 to 4 are held out and judged at the end; --fold -1 learns from everything. --hours
ends the run early and keeps what it has; run again, it goes on. The same options give the same pairs in the same order.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from example import KINDS, Pair, read
from folds import parted, sample
from network import Judge, from_encoder
from numpy.typing import NDArray
from report import report
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from pincite.evidence.judge_input import pair

TOKENIZER = Path(__file__).parents[2] / "pincite" / "data" / "minilm" / "tokenizer.json"
KIND_WEIGHT = 0.2
"""The weight of the kind of answer beside whether it is one."""
HEAD_RATE = 10.0
"""How much faster the new heads learn than the encoder."""
WARM = 0.06
"""The share of the steps over which the rate rises."""
SAVED = 300.0
"""Seconds between checkpoints."""
STEP = 16
"""Lengths of batches are multiples of this: for each of them torch prepares, and keeps, products of its own."""
POOL = 64
"""Batches that are drawn together and sorted by length, so that little is padding."""


@dataclass(frozen=True)
class Encoded:
    """A pair in tokens, with what is to be learned: its kind only where the place is right."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    label: int
    kind: int


def encode(pairs: Sequence[Pair], length: int) -> list[Encoded]:
    """The pairs in tokens."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    made = []
    for given in pairs:
        tokens = tokenizer.encode(*pair(given.question, given.place, length))
        kind = KINDS.index(given.kind) if given.label else -100
        made.append(Encoded(tuple(tokens.ids), tuple(tokens.type_ids), given.label, kind))
    return made


def padded(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor]:
    """The ids, types and mask of a batch, filled up to its longest pair and on to a multiple of STEP."""
    most = -(-max(len(given.ids) for given in batch) // STEP) * STEP
    ids, types = (torch.zeros(len(batch), most, dtype=torch.long) for _ in range(2))
    mask = torch.zeros(len(batch), most, dtype=torch.bool)
    for row, given in enumerate(batch):
        size = len(given.ids)
        ids[row, :size], types[row, :size] = torch.tensor(given.ids), torch.tensor(given.types)
        mask[row, :size] = True
    return ids, types, mask


def batches(given: Sequence[Encoded], size: int, seed: str) -> list[list[Encoded]]:
    """All pairs in batches of alike lengths, in an order that `seed` decides."""
    chance = random.Random(seed)
    order = list(given)
    chance.shuffle(order)
    made = []
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL], key=lambda one: len(one.ids))
        made += [pool[i : i + size] for i in range(0, len(pool), size)]
    chance.shuffle(made)
    return made


def loss_of(logits: Tensor, batch: Sequence[Encoded]) -> Tensor:
    """The loss of the logits: whether the place answers and, if it does, the kind of answer."""
    labels = torch.tensor([given.label for given in batch], dtype=torch.float32)
    kinds = torch.tensor([given.kind for given in batch])
    loss = functional.binary_cross_entropy_with_logits(logits[:, 0], labels)
    if (kinds >= 0).any():
        loss = loss + KIND_WEIGHT * functional.cross_entropy(logits[:, 1:], kinds)
    return loss


def scores(judge: Judge, given: Sequence[Encoded], size: int = 64) -> NDArray[np.float32]:
    """The logits of every pair, (n, 1 + kinds)."""
    judge.eval()
    order = sorted(range(len(given)), key=lambda i: len(given[i].ids))
    made = np.empty((len(given), 1 + len(KINDS)), np.float32)
    with torch.inference_mode():
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            made[rows] = judge(*padded([given[i] for i in rows])).numpy()
    return made


class Training:
    """A run in a folder: the judge, its optimiser and its progress."""

    def __init__(self, folder: Path, options: dict[str, Any], steps: int) -> None:
        self.folder, self.options, self.steps, self.step = folder, options, steps, 0
        torch.manual_seed(options["seed"])
        self.judge = from_encoder(len(KINDS))
        self.judge.freeze(options["frozen"])
        heads = [*self.judge.answers.parameters(), *self.judge.kinds.parameters()]
        known = {id(value) for value in heads}
        body = [
            value
            for value in self.judge.parameters()
            if value.requires_grad and id(value) not in known
        ]
        rate = options["rate"]
        self.optimiser = torch.optim.AdamW(
            [{"params": body, "lr": rate}, {"params": heads, "lr": rate * HEAD_RATE}],
            weight_decay=0.01,
            fused=True,
        )
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self._rate)
        if options["after"]:
            state = torch.load(Path(options["after"]) / "checkpoint.pt", weights_only=True)
            self.judge.load_state_dict(state["judge"])
        if self.path.exists():
            self._load()

    @property
    def path(self) -> Path:
        """The file of the checkpoint."""
        return self.folder / "checkpoint.pt"

    def learn(self, batch: Sequence[Encoded]) -> float:
        """One step; gives the loss before it."""
        self.judge.train()
        # what is left out is decided by the step alone, so that a run that goes on is the run that was never stopped
        torch.manual_seed(self.options["seed"] * 1_000_003 + self.step)
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.judge(*padded(batch))
        loss = loss_of(logits.float(), batch)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.judge.parameters(), 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.step += 1
        return float(loss.detach())

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "options": self.options, "step": self.step, "judge": self.judge.state_dict(),
            "optimiser": self.optimiser.state_dict(), "schedule": self.schedule.state_dict(),
        }  # fmt: skip
        written = self.path.with_suffix(".new")
        torch.save(state, written)
        written.replace(self.path)

    def _load(self) -> None:
        state = torch.load(self.path, weights_only=True)
        changed = {
            name for name, value in self.options.items() if state["options"].get(name) != value
        }
        if changed:
            raise SystemExit(
                f"{self.path} was begun with other options ({', '.join(sorted(changed))}): take another folder"
            )
        self.step = state["step"]
        self.judge.load_state_dict(state["judge"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])

    def _rate(self, step: int) -> float:
        warm = max(1, int(self.steps * WARM))
        return min((step + 1) / warm, max(0.0, (self.steps - step) / max(1, self.steps - warm)))


def planned(given: Sequence[Encoded], options: dict[str, Any]) -> Iterator[list[Encoded]]:
    """Every batch of every epoch, in order."""
    for epoch in range(options["epochs"]):
        yield from batches(given, options["batch"], f"{options['seed']}:{epoch}")


def run(training: Training, given: Sequence[Encoded], hours: float) -> None:
    """Learn until every batch was seen, or for `hours`."""
    began = saved = time.monotonic()
    losses: list[float] = []
    first = training.step
    for number, batch in enumerate(planned(given, training.options)):
        if number < first:
            continue
        losses.append(training.learn(batch))
        now = time.monotonic()
        if now - saved > SAVED:
            training.save()
            pace = (training.step - first) * training.options["batch"] / (now - began) * 3600
            print(
                f"step {training.step}/{training.steps} loss {np.mean(losses):.4f} {pace:,.0f} pairs an hour",
                flush=True,
            )
            losses, saved = [], now
        if now - began > hours * 3600:
            print(
                f"stopped after {hours} hours at step {training.step} of {training.steps}",
                flush=True,
            )
            break
    seconds = time.monotonic() - began
    if training.step > first:
        pace = (training.step - first) * training.options["batch"] / seconds * 3600
        print(
            f"{training.step - first} steps in {seconds:.0f} s: {pace:,.0f} pairs an hour",
            flush=True,
        )
    training.save()


def judged(training: Training, held: Sequence[Pair], folder: Path) -> None:
    """Print and store the scores of the held-out pairs."""
    logits = scores(training.judge, encode(held, training.options["length"]))
    right = np.array([given.label for given in held], bool)
    kinds = np.array([KINDS.index(given.kind) for given in held])
    text = report(held, logits[:, 0])
    if right.any():
        share = (logits[right, 1:].argmax(1) == kinds[right]).mean()
        text += f"\nkind of answer, of right places: {share:.3f}"
    print(text)
    (folder / "report.txt").write_text(text + "\n")


def main() -> None:
    """Train, or go on, and judge what is held out."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("run", type=Path)
    arguments.add_argument("--pairs", type=Path, default=Path(".judge/pairs.jsonl"))
    arguments.add_argument(
        "--after", default="", help="the folder of a run whose weights this one begins with"
    )
    arguments.add_argument("--fold", type=int, default=0)
    arguments.add_argument("--epochs", type=int, default=2)
    arguments.add_argument("--frozen", type=int, default=0, choices=range(7))
    arguments.add_argument("--length", type=int, default=112)
    arguments.add_argument("--hours", type=float, default=24.0)
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=1e-4)
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--seed", type=int, default=14)
    arguments.add_argument(
        "--most",
        type=int,
        default=1_000_000,
        help="the most pairs to learn from, drawn by the seed",
    )
    arguments.add_argument(
        "--held", type=int, default=4000, help="the most held-out pairs to judge"
    )
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    given.run.mkdir(parents=True, exist_ok=True)
    names = ("after", "fold", "epochs", "frozen", "length", "batch", "rate", "seed", "most")
    options = {name: getattr(given, name) for name in names}
    learned, held = parted(list(read(given.pairs)), given.fold)
    learned = sample(learned, given.most, given.seed)
    (given.run / "options.json").write_text(json.dumps(options, indent=1) + "\n")
    encoded = encode(learned, given.length)
    steps = len(batches(encoded, given.batch, "count")) * given.epochs
    print(
        f"{len(learned):,} pairs to learn from, {len(held):,} held out, {steps:,} steps",
        flush=True,
    )
    training = Training(given.run, options, steps)
    run(training, encoded, given.hours)
    if held:
        judged(training, sample(held, given.held, given.seed), given.run)


if __name__ == "__main__":
    main()
