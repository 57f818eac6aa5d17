"""Builds the small programs of this folder and runs them under all interleavings or under seeds."""

import dataclasses
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

folder = pathlib.Path(__file__).resolve().parent
root = folder.parents[3]

# A pop of a queue polls 16 times for a value in flight, and a push tries 64 cells; a push of a stack polls six times
# whether its offer was taken, and a pop looks at four slots. That gives too many interleavings and shows nothing new, so
# in the copy of the headers that the programs are built with, the limits are one or two.
lowered = (
    ("container/ring.cuh", "most_looks_ = 16", "most_looks_ = 1"),
    ("container/ring.cuh", "most_attempts_ = 64", "most_attempts_ = 2"),
    ("container/offers.cuh", "most_looks_ = 6", "most_looks_ = 1"),
    ("container/offers.cuh", "is_alone ? 4 : 1", "1"),
)


@dataclasses.dataclass(frozen=True)
class case:
    program: str
    words: str  # its command line; `.` is an empty word
    preemptions: int = None  # None: all interleavings

    def __str__(self):
        bound = "" if self.preemptions is None else f" --preemptions {self.preemptions}"
        return f"{self.program} {self.words}{bound}"

    def arguments(self):
        return ["" if word == "." else word for word in self.words.split()]


def put_in_place_of(include, file, old, new):
    """Replaces a text that occurs exactly once in a header."""
    target = include / "heddle" / file
    text = target.read_text()
    if text.count(old) != 1:
        raise SystemExit(f"'{old}' must occur in {file} exactly once")
    target.write_text(text.replace(old, new))


class workshop:
    """Builds programs with a changed copy of the headers."""

    def __init__(self, heddle, scratch, changes=lowered):
        self.heddle = heddle
        self.scratch = scratch
        self.include = scratch / "include"
        shutil.copytree(root / "include", self.include, dirs_exist_ok=True)
        for file, old, new in changes:
            put_in_place_of(self.include, file, old, new)

    def built(self, program):
        made = self.scratch / program
        if not made.exists():
            source, libraries = folder / f"{program}_proof.cu", []
            if program == "histories":
                source, libraries = folder.parent / "linearizability_test.cu", ["-lgtest", "-lgtest_main"]
            subprocess.run([self.heddle, "cc", "--check", "-std=c++20", f"-I{self.include}",
                            f"-I{root / 'tests/library'}", str(source), "-o", str(made), *libraries], check=True)
        return str(made)

    def check(self, what, *options):
        """The output of `heddle check` for a case, and its exit status."""
        command = [self.heddle, "check", *options, self.built(what.program), *what.arguments()]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, NO_COLOR="1"))
        return done.stdout, done.returncode


def kind_of_finding(output):
    """The kind that `heddle check` names; otherwise the program found a wrong answer itself."""
    kind = re.search(r"^([a-z-]+)   ", output, re.MULTILINE)
    return kind[1] if kind else "a wrong answer"


@dataclasses.dataclass
class verdict:
    is_proved: bool
    mistake: str  # what is wrong, if anything
    explored: int
    seconds: float
    output: str


def explored(shop, what, *options):
    """Runs all interleavings of a case."""
    if what.preemptions is not None:
        options += ("--preemptions", str(what.preemptions))
    begin = time.monotonic()
    output, status = shop.check(what, "--schedule", "exhaustive", *options)
    count = re.search(r"explored (\d+) interleaving", output)
    answer_is_wrong = re.search(r"\bstatus [1-9]|the program returned [1-9]", output) is not None
    mistake = (kind_of_finding(output) if status == 1 else "a wrong answer" if answer_is_wrong else None)
    # A note reports a program that did not return 0, or interleavings that were left out.
    is_proved = (status == 0 and "heddle: no findings" in output and "note" not in output and
                 ("; complete" in output or "; all within the preemption bound" in output))
    return verdict(is_proved, mistake, int(count[1]) if count else 0, time.monotonic() - begin, output)


def convicted(shop, what, schedules, seeds):
    """The first schedule under which a case fails and how, or None; and the output."""
    output = ""
    for seed, schedule in itertools.product(range(1, seeds + 1), schedules.split()):
        environment = dict(os.environ, HEDDLE_CHECK=json.dumps({"schedule": schedule, "seed": seed}),
                           HEDDLE_TIMEOUT="10", HEDDLE_ROUNDS="20", HEDDLE_SEED=str(seed), NO_COLOR="1")
        done = subprocess.run([shop.built(what.program), *what.arguments()], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = done.stdout
        if done.returncode != 0:
            return f"{schedule}:{seed}, {kind_of_finding(output)}", output
    return None, output
