#!/usr/bin/env python3
"""Our cuda.h has the same enumerators, flags, types, fields, calls and pointers to functions as the
toolkit's.

Usage: driver_header_test.py COMPILER INCLUDE_FOLDER. Exit 77 means that there is no CUDA 13.0 to compare with.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

compiler, ours = sys.argv[1], sys.argv[2]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def toolkit_folder():
    nvcc = shutil.which("nvcc")
    roots = [os.environ.get("CUDA_HOME"), nvcc and os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "/usr/local/cuda"]
    for root in filter(None, roots):
        if os.path.exists(f"{root}/include/cuda.h"):
            return f"{root}/include"
    return skip("there is no CUDA toolkit on this machine, so there is no cuda.h to compare with")


def preprocessed(folder, *options):
    return run(compiler, "-x", "c++", "-E", *options, f"-I{folder}", f"{folder}/cuda.h").stdout


def fields_of(body):
    """The names of a structure's direct members."""
    outside, depth = "", 0
    for letter in body:
        depth -= letter == "}"
        if depth == 0:
            outside += letter
        depth += letter == "{"
    return re.findall(r"(\w+)\s*(?:\[[^\]]*\]\s*)*;", outside)


def facts(folder):
    """C++ expressions, by the thing in the toolkit's header that they describe."""
    text = re.sub(r"^#.*$", "", preprocessed(folder, "-P"), flags=re.M)
    text = re.sub(r"__attribute__\(\(deprecated\)\)", "", text[text.index("cuuint32_t"):])
    text = re.sub(r"alignas\(\d+\)", "", text)
    found = {}
    for body in re.findall(r"typedef\s+enum\s*\w*\s*\{(.*?)\}", text, flags=re.S):
        for name in re.findall(r"(?:^|,)\s*(\w+)", body):
            found[f"the value of {name}"] = f"(long long)({name})"
    for kind, body, name in re.findall(r"typedef\s+(struct|union)\s*\w*\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*(\w+);", text):
        for field in fields_of(body):
            found[f"the place of {name}.{field}"] = f"(long long)offsetof({name}, {field})"
            found[f"the size of {name}.{field}"] = f"(long long)sizeof((({name}*)0)->{field})"
    for name in set(re.findall(r"typedef[^;{}]*?\b(\w+)\s*;", text) + re.findall(r"\}\s*(\w+)\s*;\s*typedef", text) + re.findall(r"\}\s*(CU\w+)\s*;", text)):
        if name.lower().startswith("cu"):
            found[f"the size of {name}"] = f"(long long)sizeof({name})"
            found[f"the alignment of {name}"] = f"(long long)alignof({name})"
    macros = run(compiler, "-x", "c++", "-E", "-dM", f"{folder}/cuda.h").stdout
    for name, value in re.findall(r"^#define (CU\w+) (\S.*)$", macros, flags=re.M):
        found[f"the value of {name}"] = f"(long long)({name})"
    # Pointers to functions. Some forms from before CUDA 4 are missing, and those with a default stream for each thread.
    if os.path.exists(f"{ours}/cudaTypedefs.h"):
        known = set(re.findall(r"\bPFN_cu\w+", run(compiler, "-x", "c++", "-E", "-P", f"-I{ours}", f"{ours}/cudaTypedefs.h").stdout))
        pointers = set(re.findall(r"\bPFN_cu\w+", run(compiler, "-x", "c++", "-E", "-P", f"-I{toolkit}", f"{toolkit}/cudaTypedefs.h").stdout))
        for name in known & pointers:
            found[f"the pointer of {name}"] = f"typeid({name}).name()"
    called = {second: first for first, second in re.findall(r"^#define (cu[A-Z]\w*) (?:__CUDA_API_\w+\()?(cu[A-Z]\w*)\)?$", macros, flags=re.M)}
    called.pop("cuGraphInstantiateWithFlags")
    for name in re.findall(r"\bCUresult\s+(cu\w+)\s*\(", text):
        found[f"the type of {called.get(name, name)}"] = f"typeid(decltype({called.get(name, name)})).name()"
    return found


def answers(folder, asked, scratch):
    lines = [f'  say("{what}", {expression});' for what, expression in asked.items()]
    source = "\n".join([
        "#include <cuda.h>", "#include <cudaTypedefs.h>", "#include <cstddef>", "#include <cstdio>", "#include <typeinfo>",
        'static void say(const char* what, long long n) { std::printf("%s is %lld\\n", what, n); }',
        'static void say(const char* what, const char* s) { std::printf("%s is %s\\n", what, s); }',
        "int main() {", *lines, "}"])
    with open(f"{scratch}/asks.cpp", "w", encoding="utf-8") as file:
        file.write(source)
    built = run(compiler, "-std=c++17", "-w", "-O0", f"-I{folder}", f"{scratch}/asks.cpp", "-o", f"{scratch}/asks")
    if built.returncode != 0:
        print(f"FAILED: what the toolkit has does not compile with {folder}:\n{built.stderr[:4000]}")
        sys.exit(1)
    return run(f"{scratch}/asks").stdout.splitlines()


toolkit = toolkit_folder()
version = re.search(r"^#define CUDA_VERSION (\d+)", open(f"{toolkit}/cuda.h", encoding="utf-8").read(), flags=re.M)[1]
if version != "13000":
    skip(f"the toolkit's cuda.h is of version {version}, not 13000")
asked = facts(toolkit)
kinds = {kind: sum(what.startswith(f"the {kind} of") for what in asked) for kind in ("value", "size", "place", "type", "pointer")}
with tempfile.TemporaryDirectory() as scratch:
    theirs, mine = answers(toolkit, asked, scratch), answers(ours, asked, scratch)
wrong = [f"{mine[i]}, and in the toolkit {theirs[i]}" for i in range(len(theirs)) if theirs[i] != mine[i]]
for line in wrong:
    print(f"FAILED: {line}")
# A comparison without any expressions would pass.
for kind, least in (("value", 900), ("size", 500), ("place", 300), ("type", 440), ("pointer", 430)):
    if kinds[kind] < least:
        wrong.append(kind)
        print(f"FAILED: only {kinds[kind]} times '{kind}' were found in the toolkit's header")
print(f"{len(theirs)} answers are compared: {kinds}")
sys.exit(1 if wrong else 0)
