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

from reach_makefiles import NO_DATA, commands_of, copy_folder, data_that_lack, make_command, missing_words
from reach_programs import copy_data, smaller_copy

KEPT = 1 << 20  # characters of a program's output, from its beginning and from its end
WAIVED = 2
TOO_LARGE = "stopped at {} GiB of memory"  # the last line of a program's output, if that is why it was stopped


def resident(group):
    """The memory that the processes of a group use, in bytes."""
    pages = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if words[2] == str(group):
            pages += int(words[21])
    return pages * os.sysconf("SC_PAGESIZE")


def run(command, folder, seconds, environment, until=None, memory=None):
    """Exit status, None if it was stopped, all output, and the seconds it took.

    It is stopped after `seconds`, when a line matches `until`, since the rest is not needed, or when it uses more than
    `memory` GiB. A limit that makes allocations fail would not do: programs that do not expect that crash, or print a
    wrong result.
    """
    begin = time.monotonic()
    output, size = [], 0
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True,
                          env={**os.environ, **environment}) as child:
        stopped, too_large, ended = threading.Event(), threading.Event(), threading.Event()

        def stop():
            stopped.set()
            os.killpg(child.pid, signal.SIGKILL)

        def watch():
            while not ended.wait(0.2):
                if resident(child.pid) > memory * 2**30:
                    too_large.set()
                    return stop()

        clock = threading.Timer(seconds, stop)
        clock.start()
        if memory:
            threading.Thread(target=watch).start()
        for line in child.stdout:
            output.append(line.decode(errors="replace"))
            if until and re.search(until, output[-1]):
                stop()
                break
            size += len(output[-1])
            if size > 4 * KEPT:
                text = "".join(output)
                output = [text[:KEPT], "\n", text[-KEPT:]]
                size = sum(map(len, output))
        status = child.wait()
        clock.cancel()
        ended.set()
    if too_large.is_set():
        output.append("\n\n" + TOO_LARGE.format(f"{memory:g}") + "\n")
    return None if stopped.is_set() else status, "".join(output), time.monotonic() - begin


def first_error(output):
    """The line that says why a build failed."""
    lines = [line for line in output.splitlines() if re.search(r"\berror\b|undefined reference|heddle:|cannot find", line)]
    return (lines or output.splitlines() or ["no output"])[0].strip()[:300]


def is_correct(output, status, note, program):
    """yes, no, or why nothing can be said."""
    if note.get("passes"):
        if re.search(note.get("fails", "(?!)"), output):
            return "no"
        if re.search(note["passes"], output):
            return "yes"
        return "not known" if status is None else "no"
    if status is None and not program.makefile:
        return "not known"
    if re.search(note.get("fails", program.fails), output):
        return "no"
    if program.makefile and status:
        return "no"
    if status is None:
        return "so far" if re.search(program.passes, output) else "not known"
    if re.search(program.passes, output) or (note.get("judged by") == "exit status" and status == 0):
        return "yes"
    return "no self-check" if status == 0 else "no"


def ran(status, seconds, output, note):
    if status is None and note.get("until") and re.search(note["until"], output):
        return "yes"
    if status is None:
        why = output.rpartition("\n\n")[2].strip()
        return why if re.fullmatch(TOO_LARGE.format(r"[\d.]+"), why) else f"stopped after {seconds:.0f} s"
    if status > 128:  # as a shell says it
        status = 128 - status
    if status >= 0:
        return "yes" if status == 0 else f"exit {status}"
    known = {one.value: one.name for one in signal.Signals}
    return known.get(-status, f"exit {128 - status}")


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


def made(program, note, options, scratch, check):
    """Builds a program with its Makefile: its folder in the scratch folder, the commands that run it, and why not."""
    copy = scratch / "checked" if check else scratch
    place = copy_folder(program, copy)
    make = make_command(program, f"{options.build}/bin/heddle cc" + (" --check" if check else ""))
    status, output, _ = run(make, place, options.build_seconds, {})
    if status != 0:
        return place, [], "not built in time" if status is None else first_error(output).replace(f"{copy}/", "")
    _, recipe, _ = run([*make, "-n", "run"], place, options.build_seconds, {})
    commands = note.get("runs") or commands_of(recipe, program)
    return place, commands, "" if commands else "its Makefile has no command for `run`"


def built(program, note, options, scratch, check=False):
    """The folder to run a program in, the commands that run it, and why there are none."""
    if program.makefile:
        return made(program, note, options, scratch, check)
    executable, why = build(program, options, scratch, check)
    runs = note.get("runs", program.runs)
    if check:
        runs = note.get("checked runs", runs)
    return scratch, [[str(executable), *arguments] for arguments in runs] if executable else [], why


def without_loss(command):
    """The command, line-buffered, so that no output is lost if it is stopped, and without core files."""
    limit = ["prlimit", "--core=0"] if shutil.which("prlimit") else []
    return [*limit, *(["stdbuf", "-oL"] if shutil.which("stdbuf") else []), *command]


def checked(place, commands, note, options, environment):
    """How `heddle check` ended, and its findings, over all commands that run a program."""
    findings, unfinished, failure, launches = {}, 0, "", 0
    for command in commands:
        if "/" not in command[0]:
            continue  # not a program of ours, such as diff
        report = place / "report.json"
        report.unlink(missing_ok=True)
        check = [f"{options.build}/bin/heddle", "check", "--schedules", "2", "--allow-no-kernels", "--budget",
                 f"{options.check_seconds}s", "--json", str(report), *note.get("check", [])]
        status, output, _ = run([*check, *command], place, 8 * options.check_seconds, environment)
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


def trial(program, note, options, earlier):
    """All that the table needs to know about one program. `earlier`: its result so far, if there is one."""
    scratch = pathlib.Path(options.scratch, program.name)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    copy_data(program, scratch)
    # Programs that run side by side share the processors.
    threads = str(max(1, len(os.sched_getaffinity(0)) // options.jobs))
    environment = {"OMP_NUM_THREADS": threads, "HEDDLE_WORKERS": threads, **note.get("environment", {})}
    if program.devices > 1:
        environment["HEDDLE_DEVICES"] = str(program.devices)
    result = earlier if options.check_only else build_and_run(program, note, options, scratch, environment)
    if result.get("built"):
        smaller = smaller_copy(program, note, scratch)
        if smaller and "stopped" in result["ran"]:
            result["smaller"] = build_and_run(smaller, note, options, scratch, environment)
        if not options.no_check:
            result["checked"] = build_and_check(smaller or program, note, options, scratch, environment)
            result["checked"]["smaller"] = bool(smaller)
    if not options.keep:
        shutil.rmtree(scratch)
    return result


def build_and_run(program, note, options, scratch, environment):
    result = {"built": False, "ran": "", "correct": "", "checked": {}, "seconds": 0, "why": ""}
    place, commands, result["why"] = built(program, note, options, scratch)
    if not commands:
        return {"needs": program.needs, "why": result["why"]} if program.makefile and program.needs else result
    result["built"] = True
    lacks = tried(result, place, commands, program, note, options, environment)
    return {"needs": [NO_DATA], "why": lacks} if lacks else result


def build_and_check(program, note, options, scratch, environment):
    place, commands, failure = built(program, note, options, scratch, check=True)
    if not commands:
        return {"findings": [], "unfinished": 1, "failure": failure, "launches": 0}
    return checked(place, commands, note, options, environment)


def together(verdicts):
    """One verdict for all commands of `make run`, of which some may only prepare or compare data."""
    verdicts = set(verdicts)
    if "no" in verdicts or "waived" in verdicts:
        return "no"
    if verdicts & {"so far", "not known"}:
        return "so far" if verdicts & {"so far", "yes"} else "not known"
    return "yes" if "yes" in verdicts else "no self-check"


def ended(ends, program):
    """How the runs of a program ended, in a few words: those that failed first, then those that were stopped."""
    bad = sorted((end for end in ends if end != "yes"), key=lambda end: "stopped" in end)
    if not bad:
        return "yes"
    if program.makefile or len(set(ends)) == 1:
        return bad[0]
    return f"{ends.count('yes')} of {len(ends)} ({', '.join(f'{bad.count(end)} {end}' for end in dict.fromkeys(bad))})"


def tried(result, place, commands, program, note, options, environment):
    """Runs a program, adds to its result, and returns the name of a file of data that it lacks, if any."""
    verdicts, ends = [], []
    for command in commands:
        unknown = missing_words(command, place) if program.makefile else []
        # All commands of `make run` share the limit; other programs have one for each run.
        limit = options.seconds - result["seconds"] if program.makefile else options.seconds
        status, output, seconds = run(without_loss(command), place, limit, environment, note.get("until"),
                                      options.memory)
        (place / "output.txt").write_text(output, encoding="utf-8")
        lacks = data_that_lack(unknown, status, output, place) if program.makefile else ""
        if not lacks and status and NO_DATA in program.needs:
            lacks = "a file that its source names"
        if lacks:
            return lacks
        result["seconds"] = round(result["seconds"] + seconds, 1)
        verdict = is_correct(output, status, note, program)
        ends.append(ran(status, seconds, output, note))
        verdicts.append("waived" if status == WAIVED and verdict == "no" and not note.get("passes") else verdict)
        if verdict == "no" or status != 0:
            last = " ".join(output.strip().splitlines()[-1:])[-200:]
            result["why"] = result["why"] or last.replace(f"{options.scratch}/", "")
        if status is None and program.makefile:
            if ends[-1].startswith("stopped after"):
                ends[-1] = f"stopped after {options.seconds:.0f} s"
            break
    result["ran"] = ended(ends, program)
    result["correct"] = together(verdicts) if program.makefile else verdicts[0] if len(set(verdicts)) == 1 else \
        f"{verdicts.count('yes')} of {len(verdicts)}"
    return ""
