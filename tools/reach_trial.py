"""Builds, runs and checks one program, and returns its results."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

from reach_programs import copy_data

PASSES = r"(?i)\btest passed|\bpass(ed)?\b|\bsuccess(ful|fully)?\b"
FAILS = r"(?i)\btest failed|\bfailed\b|= *fail|\bmismatch\b|(?m:^error)"
WAIVED = 2


def run(command, folder, seconds, environment, until=None):
    """Exit status, None if it was stopped, all output, and the seconds it took.

    It is stopped after `seconds`, or when a line matches `until`: the rest is not needed.
    """
    begin = time.monotonic()
    output = []
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True,
                          env={**os.environ, **environment}) as child:
        stopped = threading.Event()

        def stop():
            stopped.set()
            os.killpg(child.pid, signal.SIGKILL)

        clock = threading.Timer(seconds, stop)
        clock.start()
        for line in child.stdout:
            output.append(line.decode(errors="replace"))
            if until and re.search(until, output[-1]):
                stop()
                break
        status = child.wait()
        clock.cancel()
    return None if stopped.is_set() else status, "".join(output), time.monotonic() - begin


def first_error(output):
    """The line that says why a build failed."""
    lines = [line for line in output.splitlines() if re.search(r"error|undefined reference|heddle:", line)]
    return (lines or output.splitlines() or ["no output"])[0].strip()[:300]


def is_correct(output, status, note):
    """yes, no, or why nothing can be said."""
    if note.get("passes"):
        if re.search(note.get("fails", "(?!)"), output):
            return "no"
        if re.search(note["passes"], output):
            return "yes"
        return "not known" if status is None else "no"
    if status is None:
        return "not known"
    if re.search(note.get("fails", FAILS), output):
        return "no"
    if re.search(PASSES, output) or (note.get("judged by") == "exit status" and status == 0):
        return "yes"
    return "no self-check" if status == 0 else "no"


def ran(status, seconds, output, note):
    if status is None and note.get("until") and re.search(note["until"], output):
        return "yes"
    if status is None:
        return f"stopped after {seconds:.0f} s"
    return "yes" if status == 0 else f"exit {status}" if status > 0 else signal.Signals(-status).name


shared_objects = {}
building_shared = threading.Lock()


def objects_of(program, options, check):
    """The objects that all programs of a checkout link, built on first use; None if one cannot be built."""
    libraries = [flag for flag in program.flags if flag.startswith(("-l", "-L")) and flag != "-lineinfo"]
    folder = pathlib.Path(options.scratch, "shared", "checked" if check else "plain")
    folder.mkdir(parents=True, exist_ok=True)
    with building_shared:
        for source in program.shared:
            if (source, check) in shared_objects:
                continue
            made = folder / f"{source.stem}.o"
            command = [f"{options.build}/bin/heddle", "cc", *(["--check"] if check else []),
                       *(flag for flag in program.flags if flag not in libraries), "-c", str(source), "-o", str(made)]
            status, output, _ = run(command, folder, options.build_seconds, {})
            shared_objects[source, check] = (made if status == 0 else None, first_error(output))
    return [shared_objects[source, check] for source in program.shared]


def build(program, options, scratch, check):
    shared = objects_of(program, options, check)
    for made, error in shared:
        if not made:
            return None, f"a file that all tests link: {error}"
    out = scratch / (program.folder.name if not check else "checked")
    if not program.name.startswith("cuda-samples/"):
        out = scratch / ("checked" if check else program.sources[0].stem)
    libraries = [flag for flag in program.flags if flag.startswith("-l") and flag != "-lineinfo"]
    command = [f"{options.build}/bin/heddle", "cc", *(["--check"] if check else []),
               *(flag for flag in program.flags if flag not in libraries), *map(str, program.sources),
               *(str(made) for made, _ in shared), "-o", str(out), *libraries]
    status, output, _ = run(command, scratch, options.build_seconds, {})
    return (out, "") if status == 0 else (None, "not built in time" if status is None else first_error(output))


def checked(executable, runs, note, options, scratch, environment):
    """How `heddle check` ended, and its findings, over all runs."""
    findings, unfinished, failure, launches = {}, 0, "", 0
    for arguments in runs:
        report = scratch / "report.json"
        report.unlink(missing_ok=True)
        command = [f"{options.build}/bin/heddle", "check", "--schedules", "2", "--allow-no-kernels", "--budget", f"{options.check_seconds}s",
                   "--json", str(report), *note.get("check", []), str(executable), *arguments]
        status, output, _ = run(command, scratch, 8 * options.check_seconds, environment)
        if not report.exists():
            unfinished += 1
            failure = failure or ("stopped" if status is None else output.strip().splitlines()[-1][-300:])
            continue
        said = json.loads(report.read_text(encoding="utf-8"))
        for one in said["findings"]:
            if not one.get("note"):
                findings.setdefault(one["fingerprint"], summary(one))
        launches += said["coverage"]["launches"]
        if said.get("failure"):
            unfinished += 1
            failure = failure or said["failure"]
    return {"findings": list(findings.values()), "unfinished": unfinished, "failure": failure,
            "launches": launches}


def summary(finding):
    places = [f"{place.get('role', '')} {pathlib.Path(place.get('file') or '?').name}:{place.get('line')}: "
              f"{(place.get('source') or '').strip()}" for place in finding["places"][:2]]
    return {"kind": finding["kind"], "what": finding["what"], "places": places, "replay": finding.get("replay", "")}


def trial(program, note, options):
    """All that the table needs to know about one program."""
    result = {"built": False, "ran": "", "correct": "", "checked": {}, "seconds": 0, "why": ""}
    scratch = pathlib.Path(options.scratch, program.name)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    copy_data(program, scratch)
    runs = note.get("runs", program.runs)
    environment = {"OMP_NUM_THREADS": "2", **note.get("environment", {})}
    if program.devices > 1:
        environment["HEDDLE_DEVICES"] = str(program.devices)
    executable, result["why"] = build(program, options, scratch, check=False)
    if not executable:
        return result
    result["built"] = True
    verdicts, ends = [], []
    for arguments in runs:
        # Line-buffered, so that no output is lost if the program is stopped.
        command = [*(["stdbuf", "-oL"] if shutil.which("stdbuf") else []), str(executable), *arguments]
        status, output, seconds = run(command, scratch, options.seconds, environment, note.get("until"))
        (scratch / "output.txt").write_text(output, encoding="utf-8")
        result["seconds"] = round(result["seconds"] + seconds, 1)
        verdict = is_correct(output, status, note)
        ends.append(ran(status, seconds, output, note))
        verdicts.append("waived" if status == WAIVED and verdict == "no" and not note.get("passes") else verdict)
        if verdict == "no" or status != 0:
            result["why"] = result["why"] or " ".join(output.strip().splitlines()[-1:])[-200:]
    good = sum(end == "yes" for end in ends)
    result["ran"] = ends[0] if len(ends) == 1 else "yes" if good == len(ends) else \
        f"{good} of {len(ends)}: {next(end for end in ends if end != 'yes')}"
    good = verdicts.count("yes")
    result["correct"] = verdicts[0] if len(set(verdicts)) == 1 else f"{good} of {len(verdicts)}"
    if options.no_check:
        return result
    instrumented, failure = build(program, options, scratch, check=True)
    result["checked"] = checked(instrumented, note.get("checked runs", runs), note, options, scratch, environment) \
        if instrumented else {"findings": [], "unfinished": 1, "failure": failure, "launches": 0}
    if not options.keep:
        shutil.rmtree(scratch)
    return result
