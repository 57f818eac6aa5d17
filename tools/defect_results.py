"""What the compare tools share: the programs of the defect corpus, verdicts, and files of results.

A file of results is a JSON object: tool, date, seconds, where it ran, and programs, which gives for
each program what was said about it and a verdict. Programs are named as tests/defects names them,
family/case, their repaired twins family/case_fixed, and correct programs silent/case.
"""
import datetime
import json
import os
import pathlib
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFECTS = ROOT / "tests/defects"
SILENT = ROOT / "tests/checker/silent"


def families():
    """The families of the corpus, as the table in its README orders them."""
    lines = (DEFECTS / "README.md").read_text(encoding="utf-8").split("## Families")[1].splitlines()
    named = [line.split("`")[1] for line in lines if line.startswith("| `")]
    return [family for family in named if (DEFECTS / family).is_dir()]


def programs():
    """Name and file of each program: every defect, its twin, and the correct ones."""
    files = {}
    for family in families():
        for file in sorted((DEFECTS / family).glob("*.cu")):
            files[f"{family}/{file.stem}"] = file
    files.update({f"silent/{file.stem}": file for file in sorted(SILENT.glob("*.cu"))})
    return files


def is_correct(name):
    return name.endswith("_fixed") or name.startswith("silent/")


def expected_kinds(name):
    """The kinds that a defect's .expected file names."""
    lines = (DEFECTS / f"{name}.expected").read_text(encoding="utf-8").splitlines()
    return {line.split(":")[1].strip() for line in lines if line.startswith("kind:")}


def corpus_verdict(name, kinds, result):
    """One word for what a tool has said: kinds are those that its reports stand for.

    A defect is found if one report is of a kind that is expected, wherever in the program it points.
    """
    if is_correct(name):
        verdict = "false alarm" if result["said"] else ""
    elif kinds & expected_kinds(name):
        verdict = "found"
    else:
        verdict = "other kind" if result["said"] else ""
    if verdict:
        return verdict
    if result["hangs"]:
        return "hangs"
    if result["failed"]:
        return "failed"
    return "silent" if is_correct(name) else "not found"


def say(line):
    """Prints a line whole, whatever other threads print."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def today():
    return datetime.date.today().isoformat()


def read_results(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def store_results(path, results):
    """Writes a file of results whole, or leaves the old one."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(half, path)


def write_results(path, results):
    store_results(path, results)
    print(f"{len(results['programs'])} programs in {results['seconds']} s: {path}")


class results_as_they_come:
    """A file of results that is written after each program, so that a run that is cut off keeps them."""

    def __init__(self, path, head, keep):
        """With `keep`, what the file has about other programs stays."""
        self.path = pathlib.Path(path)
        earlier = read_results(self.path) if keep and self.path.exists() else {"programs": {}, "seconds": 0}
        self.programs = earlier["programs"]
        self.head = head
        self.begin = time.time() - earlier["seconds"]
        self.lock = threading.Lock()

    def all(self):
        return {**self.head, "date": today(), "seconds": round(time.time() - self.begin),
                "programs": self.programs}

    def add(self, name, result):
        with self.lock:
            self.programs[name] = result
            store_results(self.path, self.all())

    def close(self):
        write_results(self.path, self.all())
