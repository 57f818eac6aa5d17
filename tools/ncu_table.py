"""Runs a program under Nsight Compute and reads the table that it prints."""
import csv
import io
import re
import subprocess


class NothingCounted(Exception):
    """What ncu said in place of a table."""


def number(text):
    """What stands in a cell, or nothing where that is no number."""
    text = (text or "").replace(",", "")
    return float(text) if re.fullmatch(r"[0-9.]+(e[+-]?\d+)?", text) else None


def rows(command, metrics, options=(), on_unknown=lambda names: None):
    """A dictionary for each kernel that was run: its name and the metrics. Releases of ncu know different
    metrics: `on_unknown` is told of those that this one does not know, and they are left out."""
    metrics = list(metrics)
    while metrics:
        done = subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                               "--kernel-name-base", "demangled", *options, "--metrics", ",".join(metrics),
                               *map(str, command)], capture_output=True, text=True, errors="replace", check=False)
        said = done.stdout + done.stderr
        begin = done.stdout.find('"ID"')
        if begin >= 0 and done.returncode == 0:
            return [row for row in csv.DictReader(io.StringIO(done.stdout[begin:])) if row["ID"]]  # skips the units
        unknown = [name for name in metrics if re.search(rf"[Ff]ailed to find metric.*{re.escape(name)}", said)]
        if not unknown:
            raise NothingCounted(f"ncu has printed no table for {' '.join(map(str, command))}: {said.strip()[-600:]}")
        on_unknown(unknown)
        metrics = [name for name in metrics if name not in unknown]
    raise NothingCounted("ncu knows none of the metrics")
