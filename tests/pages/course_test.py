#!/usr/bin/env python3
"""Each topic of docs/course.md has one row, with links to code, to a test and to a page.

    course_test.py ROOT

Headers among the links say how they work and which GPU they need. Topics without any link are not covered yet, as
the page says; the test prints them. links_test.py checks that the links lead somewhere.
"""
import os
import re
import subprocess
import sys

TOPICS = 40
# The kind of a link, by its target; the first match counts.
KINDS = (("a page", r"\.md$|^docs/"), ("a test", r"^tests/|^examples/CMakeLists.txt$"),
         ("code", r"^(include|src|tools|examples|bench)(/|$)"))


def kind_of(target):
    path = os.path.normpath(os.path.join("docs", target.partition("#")[0]))
    return next((kind for kind, pattern in KINDS if re.search(pattern, path)), None)


def main():
    with open(os.path.join(sys.argv[1], "docs", "course.md"), encoding="utf-8") as file:
        rows = re.findall(r"(?m)^\| \*\*T(\d+)\*\* (.*)$", file.read())
    wrong = []
    if [int(number) for number, _ in rows] != list(range(1, TOPICS + 1)):
        wrong.append(f"the topics are {[number for number, _ in rows]}, not 1 to {TOPICS}, each once")
    for number, row in rows:
        links = re.findall(r"\]\(([^)\s]+)\)", row)
        missing = [kind for kind, _ in KINDS if kind not in map(kind_of, links)]
        if not links:
            print(f"T{number} is not there yet")
        elif missing:
            wrong.append(f"T{number} has no link to {' and none to '.join(missing)}")
    headers = sorted({os.path.normpath(os.path.join(sys.argv[1], "docs", link)) for _, row in rows
                      for link in re.findall(r"\]\(([^)\s]*include/heddle/(?!core/)[^)\s]+\.(?:cuh|hpp))\)", row)})
    asked = subprocess.run([os.path.join(sys.argv[1], "tools", "contracts-for-doxygen"), "--lacking", *headers],
                           capture_output=True, text=True)
    if asked.returncode != 0 or len(headers) < 50:
        wrong.append(f"of {len(headers)} headers:\n{asked.stdout}{asked.stderr}")
    print("\n".join(wrong) if wrong else "all as expected")
    return 1 if wrong else 0


sys.exit(main())
