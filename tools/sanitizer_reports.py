"""Runs programs under compute-sanitizer and reads its reports."""
import os
import pathlib
import re
import shutil
import signal
import subprocess

# The two that may say something about a program that hangs come first.
TOOLS = {
    "memcheck": ["--leak-check", "full", "--track-stream-ordered-races", "all"],
    "synccheck": [],
    "racecheck": [],
    "initcheck": [],
}
# Options that not every version has, added where its help names them.
NEWER = {"initcheck": ["--initcheck-address-space", "all"]}
# The first line of a report, and the kinds of heddle's findings that it stands for. Fits are looked
# for in this order.
REPORTS = (
    (r"(?i)(use-after-free|use-before-alloc|memory pool).* race", {"use-after-free", "race"}),
    (r"Race reported|hazard detected", {"race"}),
    (r"Barrier error", {"divergent-barrier", "deadlock", "mask", "divergent-collective"}),
    (r"Uninitialized", {"uninitialized"}),
    (r"Leaked", {"leak"}),
    (r"device-side assert|cudaErrorAssert", {"assert"}),
    (r"isaligned", {"misaligned"}),
    (r"Invalid __\w+__ (read|write|atomic)|Invalid .*(read|write) of size",
     {"out-of-bounds", "use-after-free", "wrong-space"}),
    (r"Host API memory access error", {"out-of-bounds", "use-after-free", "uninitialized"}),
    (r"[Ff]ree error|Malloc/Free", {"use-after-free", "api-error", "out-of-bounds"}),
    (r"Program hit", {"api-error"}),
)
# Consequences of a report before them, never a report of their own.
ECHO = (r"Program hit (cudaErrorLaunchFailure|cudaErrorIllegal|cudaErrorMisaligned|"
        r"CUDA_ERROR_(LAUNCH|ILLEGAL|MISALIGN))|cuGetProcAddress")
# What the tools print about themselves and around a report.
FRAME = (r"=========\s*$|========= COMPUTE-SANITIZER|SUMMARY|=========\s{4,}|Internal|Target application|"
         r"Error: (No attachable|process didn't)|Warning: .*(not supported|timeout)")


def paragraphs(text):
    """The first line of each report, and the lines below it."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("=========") or re.search(FRAME, line) or re.search(ECHO, line):
            continue
        detail = []
        for following in lines[number + 1:]:
            if not re.match(r"=========\s{4,}\S", following):
                break
            detail.append(following)
        body = line.lstrip("= ")
        if "misaligned" in " ".join(detail) and "isaligned" not in body:
            body += " (misaligned)"
        yield body, detail


def is_known(body):
    return any(re.search(form, body) for form, _ in REPORTS)


def unread(text):
    """What looks like a report and is none that this file knows."""
    return sorted({body[:110] for body, _ in paragraphs(text) if not is_known(body)})


def reports(text):
    """First lines of the reports, numbers taken out, each once, and the first source line of each."""
    said = {}
    for body, detail in paragraphs(text):
        if not is_known(body):
            continue
        place = re.search(r"[\w.-]+\.cuh?:\d+", " ".join([body] + detail))
        body = re.sub(r"0x[0-9a-f]+|\bin /\S+|\+0x\w+", "", body)
        body = re.sub(r"\b[\d,]{2,}\b", "N", body)
        said.setdefault(body[:110].strip(), place.group(0) if place else "")
    return [body + (f" [{place}]" if place else "") for body, place in sorted(said.items())]


def kinds(said):
    found = set()
    for line in said:
        for form, some in REPORTS:
            if re.search(form, line):
                found |= some
                break
    return found


def run(tool, extra, program, log, seconds):
    """What a tool wrote about a program with its arguments, and whether it had to be ended."""
    command = ["compute-sanitizer", "--tool", tool, *extra, *map(str, program)]
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(timeout=seconds)
            hangs = False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            hangs = True
    return pathlib.Path(log).read_text(encoding="utf-8", errors="replace"), hangs


def tools_of_this_version():
    text = subprocess.run(["compute-sanitizer", "--help"], capture_output=True, text=True,
                          check=False).stdout
    return {tool: extra + (NEWER[tool] if tool in NEWER and NEWER[tool][0] in text else [])
            for tool, extra in TOOLS.items()}


def version():
    said = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True,
                          check=False).stdout
    number = re.search(r"Version (\S+)|version (\S+)", said)
    return "compute-sanitizer " + (next(filter(None, number.groups())) if number else "?")


def gpu():
    if not shutil.which("nvidia-smi"):
        return ""
    said = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout
    return said.strip().splitlines()[0] if said.strip() else ""
