#!/usr/bin/env python3
"""Checks that the pages of docs/defects show what `heddle check` prints.

    defect_pages.py HEDDLE PAGE.md…           compares
    defect_pages.py --write HEDDLE PAGE.md…   writes the reports into the pages

The first program of a page has the defect: its report must be the one on the page, except for which lanes
were seen, and how often. The second program is the fixed one and must have no findings.
"""
import os
import re
import subprocess
import sys
import tempfile

REPORT = re.compile(r"```text\n\$ heddle check(?P<options>.*?) (?P<file>\S+\.cu)\n(?P<text>.*?)```\n", re.S)


def meaning(report):
    """Removes what may differ between compilers and schedules: which lanes were seen, and how often."""
    lines = [line for line in report.splitlines() if re.match(r"[a-z-]+ {3}(?!the output)|  [a-z]", line)]
    text = "\n".join(line for line in lines if not re.match("  (seen|replay)", line))
    if report.startswith("livelock"):  # the time limit stops the loop at any of its lines
        text = re.sub(r"(?m)^  (runs|spins) .*\n", "", text)
    text = re.sub(r"\b(block|warp|lane|lanes|thread|byte) \d[\d, -]*", r"\1 N ", text)
    return re.sub(" +", " ", text)


def check(heddle, options, name, program):
    with open(name, "w") as file:
        file.write(program)
    command = [heddle, "check", *options.split(), name]
    environment = dict(os.environ, NO_COLOR="1")
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # The duration differs in each run.
    return done.returncode, re.sub(r", \d+\.\d s", "", done.stderr)


def look_at(heddle, path, writes):
    with open(path) as file:
        page = file.read()
    kind = os.path.basename(path)[:-len(".md")]
    programs = re.findall(r"```cuda\n(.*?)```\n", page, re.S)
    shown = REPORT.search(page)
    if not programs and shown is None:
        return []  # the result depends on the processor
    if not programs or shown is None:
        return [f"{kind}: there is no program, or no report"]
    wrong = []
    status, report = check(heddle, shown["options"], f"{kind}.cu", programs[0])
    if writes and status == 1:
        page = page[:shown.start("text")] + report + page[shown.end("text"):]
        with open(path, "w") as file:
            file.write(page)
    elif not writes and meaning(report) != meaning(shown["text"]):
        wrong.append(f"{kind}: the page has\n{shown['text']}but heddle says\n{report}")
    if status != 1 or not re.search(rf"^{kind}  ", report, re.M):
        wrong.append(f"{kind}: the program has no finding of that kind; status {status}:\n{report}")
    for fixed in programs[1:]:
        status, report = check(heddle, shown["options"], f"{kind}_fixed.cu", fixed)
        if status != 0 or "no findings" not in report:
            wrong.append(f"{kind}: the fixed program is not silent; status {status}:\n{report}")
    return wrong


def main():
    words = sys.argv[1:]
    writes = words[:1] == ["--write"]
    heddle, *pages = words[1:] if writes else words
    heddle = os.path.abspath(heddle)
    pages = [os.path.abspath(page) for page in pages]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["HEDDLE_CACHE"] = folder + "/cache"
        for page in pages:
            wrong += look_at(heddle, page, writes)
        os.chdir("/")
    print("\n".join(wrong) if wrong else "all as expected")
    return 1 if wrong else 0


sys.exit(main())
