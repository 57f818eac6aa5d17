#!/usr/bin/env python3
"""Follows the links of all pages: each must lead to a file of the tree, and to a heading if it names one.

    links_test.py ROOT            all pages of the tree
    links_test.py --self-test     generated pages with dead links
"""
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|(?:src|href)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


def without_code(text):
    """The text with code blanked out; line numbers stay the same."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"(?ms)^ {0,3}(```+|~~~+).*?^ {0,3}\1[^\n]*$", blank, text)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", blank, text)


def anchors(text):
    """The anchors that GitHub gives to headings."""
    found, counted = set(), {}
    for line in re.sub(r"(?ms)^```.*?^```", "", text).splitlines():
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "").lower()
        name = "".join(letter for letter in words
                       if letter in " -_" or unicodedata.category(letter)[0] in "LN").replace(" ", "-")
        times = counted.get(name, 0)
        counted[name] = times + 1
        found.add(name if times == 0 else f"{name}-{times}")
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def pages_of(root):
    """The files that git tracks or does not ignore, so nothing that was built."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [name for name in listed.stdout.splitlines() if os.path.exists(os.path.join(root, name))]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", "third_party") and name[0] != "."]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".md")]
    return sorted(found)


def dead_links(root):
    dead, followed, known = [], 0, {}
    for page in pages_of(root):
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = without_code(file.read())
        for match in LINK.finditer(text):
            target = match.group(1) or match.group(2)
            if ELSEWHERE.match(target):
                continue
            followed += 1
            place = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
            name, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(root, os.path.dirname(page), name)) if name else os.path.join(root, page)
            if not os.path.exists(path):
                dead.append(f"{place}: there is no {target}")
            elif not (path + os.sep).startswith(os.path.normpath(root) + os.sep):
                dead.append(f"{place}: {target} is outside of the tree")
            elif anchor and path.endswith(".md"):
                if path not in known:
                    with open(path, encoding="utf-8") as file:
                        known[path] = anchors(file.read())
                if anchor not in known[path]:
                    dead.append(f"{place}: {target} has no such heading")
    return dead, followed


def self_test():
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "deep"))
        pages = {
            "a.md": "# One `two`: three\n[a](deep/b.md#b-1) [b](deep/missing.md)\n`[c](not-a-link.md)`\n"
                    "```\n[d](nor-this.md)\n```\n[e](#one-two-three) [f](#nowhere)\n[g](https://example.org/x)\n"
                    "![h](picture.svg) [i [j]](deep) [k](../outside.md)\n",
            "deep/b.md": "# B\n## B\n[back](../a.md) [wrong](../a.md#b)\n",
        }
        for name, text in pages.items():
            with open(os.path.join(root, name), "w") as file:
                file.write(text)
        dead, followed = dead_links(root)
    expected = ["a.md:2: there is no deep/missing.md", "a.md:7: #nowhere has no such heading",
                "a.md:9: there is no picture.svg", "a.md:9: there is no ../outside.md",
                "deep/b.md:3: ../a.md#b has no such heading"]
    if dead != expected or followed != 9:
        return [f"followed {followed}, dead: {dead}"]
    return []


def main():
    if sys.argv[1:] == ["--self-test"]:
        wrong = self_test()
    else:
        wrong, followed = dead_links(os.path.abspath(sys.argv[1]))
        print(f"{followed} links")
    print("\n".join(wrong) if wrong else "all as expected")
    return 1 if wrong else 0


sys.exit(main())
