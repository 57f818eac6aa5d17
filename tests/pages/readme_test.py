#!/usr/bin/env python3
"""Runs the commands of README.md as they are written, in order, in a folder that looks like a fresh clone.

    readme_test.py ROOT commands    every line of its shell blocks exits with 0
    readme_test.py ROOT report      the report on its first screen is what `heddle check` prints
    readme_test.py ROOT snippets    its C++ compiles
    readme_test.py ROOT languages   README.zh-CN.md has the same commands, code, figures and links

The commands use the build in ROOT/build/host, which ./heddle brings up to date.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# `./heddle test` would run this test again; `./heddle docs` needs another package and has its own test.
NOT_RUN = ("./heddle test", "./heddle docs")
# The reader's own point cloud.
CLOUD = "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 40\nHEIGHT 1\nPOINTS 40\nDATA ascii\n"
CLOUD += "".join(f"{0.1 * (i % 20)} {10 * (i // 20)} 0\n" for i in range(40))


def blocks(page, *languages):
    """The fenced blocks in these languages: (number of the first line, text)."""
    return [(page.count("\n", 0, match.start()) + 2, match.group(2))
            for match in re.finditer(r"(?ms)^```(\w*)\n(.*?)^```$", page) if match.group(1) in languages]


def make_clone(root, folder):
    """Makes a tree of links, so that the commands find what a clone has and leave nothing in the real tree."""
    os.mkdir(folder)
    for name in os.listdir(root):
        if name not in (".git", "build"):
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
    project = os.path.join(root, "tests", "pages", "project")
    for name in os.listdir(project):
        shutil.copy(os.path.join(project, name), folder)
    with open(os.path.join(folder, "scan.pcd"), "w") as file:
        file.write(CLOUD)


def run(command, folder):
    print(f"$ {command}", flush=True)
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def commands(root, page, scratch):
    wrong, folder = [], scratch
    for line, text in blocks(page, "sh"):
        for number, command in enumerate(text.splitlines(), line):
            if command.startswith("git clone "):
                make_clone(root, os.path.join(folder, command.split()[-1]))
            elif command.startswith("cd "):
                folder = os.path.join(folder, command[len("cd "):])
            elif command and not command.startswith(NOT_RUN):
                status, said = run(command.replace("/path/to/", folder + "/"), folder)
                if status != 0:
                    wrong.append(f"README.md:{number}: {command} ended with {status} and said:\n{said[-3000:]}")
    # The commands in the text.
    for command in re.findall(r"`(\./heddle [^`]+)`", page):
        if not command.startswith(NOT_RUN):
            status, said = run(command, folder)
            if status != 0:
                wrong.append(f"README.md: {command} ended with {status} and said:\n{said[-3000:]}")
    made = {"labelled.ply", "clusters.html", "street.html", "page.html", "program",
            "heddle-tour.html"}
    wrong += [f"no command has made {name}" for name in sorted(made - set(os.listdir(folder)))]
    return wrong


def meaning(report):
    """Removes what may differ from run to run: which lanes were seen, how often, how long it took."""
    report = re.sub(r"\b(lane|thread) \d+", r"\1 N", re.sub(r"(?m)^  seen .*\n|, [\d.]+ s$", "", report))
    return re.sub(" +", " ", report).strip()


def report(root, page, scratch):
    (_, text), *_ = blocks(page, "text")
    command, _, shown = text.partition("\n")
    folder = os.path.join(scratch, "heddle")
    make_clone(root, folder)
    status, said = run("NO_COLOR=1 " + command[len("$ "):] + " 2>&1 >/dev/null", folder)
    said = re.sub(r"(?m)^heddle: (?!\d).*\n", "", said)  # messages of ./heddle about a build
    wrong = []
    if status != 1:
        wrong.append(f"{command} ended with {status}, not 1")
    if meaning(said) != meaning(shown):
        wrong.append(f"the README has\n{shown}\nbut heddle says\n{said}")
    with open(os.path.join(root, command.split()[-1])) as file:
        if blocks(page, "cuda")[0][1] not in file.read():
            wrong.append(f"the kernel of the README is not in {command.split()[-1]}")
    return wrong


def snippets(root, page, scratch):
    wrong = []
    for line, text in blocks(page, "cpp"):
        if "__global__" not in text:
            includes, body = re.fullmatch(r"((?:#include[^\n]*\n)*)(.*)", text, re.S).groups()
            text = (includes + "void snippet(cudaStream_t stream, const float* values, float* sums, long count,"
                    " float* result) {\n" + body + "}\n")
        path = os.path.join(scratch, f"line_{line}.cu")
        with open(path, "w") as file:
            file.write(text)
        status, said = run(f"./heddle cc -std=c++20 -Wall -Wextra -Iinclude -c {path} -o {path}.o", root)
        if status != 0 or "warning:" in said:
            wrong.append(f"README.md:{line}: {said}")
    return wrong


def languages(root, page, _):
    with open(os.path.join(root, "README.zh-CN.md"), encoding="utf-8") as file:
        other = file.read()

    def code(text):
        said = [re.sub(r"<[^<>\n]* [^<>\n]*>|<[^\x00-\x7f>]+>", "<address>", block)
                for _, block in blocks(text, "sh", "cuda", "cpp", "cmake", "text")]
        return [re.sub(r"(?m) *//.*$", "", block) for block in said]

    def links(text):
        found = re.findall(r"\]\(([^)\s]+)\)", text)
        return {link for link in found if not link.startswith(("#", "README"))}

    def figures(text):
        return re.findall(r"(?s)<!-- figures: begin -->.*?<!-- figures: end -->", text)

    wrong = []
    if figures(page) != figures(other):
        wrong.append("the figures differ: tools/bench-tables --into both")
    if code(page) != code(other):
        differing = [pair for pair in zip(code(page), code(other)) if pair[0] != pair[1]]
        wrong.append(f"the blocks differ: {differing or (len(code(page)), len(code(other)))}")
    if links(page) != links(other):
        wrong.append(f"only one of both has the links {sorted(links(page) ^ links(other))}")
    return wrong


def main():
    root, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    if what in ("commands", "report", "snippets") and not os.path.exists(os.path.join(root, "build", "host", "build.ninja")):
        print("skipped: ./heddle has not built the project")
        return 77
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as scratch:
        wrong = globals()[what](root, page, scratch)
    print("\n".join(wrong) if wrong else "all as expected")
    return 1 if wrong else 0


sys.exit(main())
