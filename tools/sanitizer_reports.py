"""Reads the reports of compute-sanitizer."""
import re

# The first line of a report, and the kinds of heddle's findings that it corresponds to. The first match wins.
REPORTS = (
    (r"(?i)(use-after-free|use-before-alloc|memory pool).* race", {"use-after-free", "race"}),
    (r"Use-(after-free|before-alloc) on allocation", {"use-after-free", "race"}),
    (r"Race reported|hazard detected", {"race"}),
    # racecheck's message for shared memory of another block that may not run yet, or no longer.
    (r"Potential invalid __shared__", {"race", "use-after-free"}),
    (r"Barrier error.*init", {"uninitialized", "race", "divergent-barrier", "deadlock"}),
    (r"Barrier error", {"divergent-barrier", "deadlock", "mask", "divergent-collective"}),
    (r"Uninitialized", {"uninitialized"}),
    (r"Leaked", {"leak"}),
    (r"device-side assert|cudaErrorAssert", {"assert"}),
    (r"isaligned", {"misaligned"}),
    (r"Invalid __\w+__ (read|write|atomic)|Invalid .*(read|write) of size",
     {"out-of-bounds", "use-after-free", "wrong-space"}),
    (r"Host API memory access error", {"out-of-bounds", "use-after-free", "uninitialized"}),
    (r"[Ff]ree error|Malloc/Free", {"use-after-free", "api-error", "out-of-bounds"}),
    # The device runtime traps in a kernel that attempts something forbidden.
    (r"Trace/breakpoint trap", {"assert", "api-error"}),
    # A barrier with a different number of threads than it was started with.
    (r"Illegal instruction", {"divergent-barrier", "deadlock"}),
    (r"Program hit", {"api-error"}),
)
# Consequences of an earlier report, never a report by themselves.
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
