"""Runs programs under the tools of compute-sanitizer: which of them, how, and for how long."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

OPTIONS = {
    "memcheck": ["--track-stream-ordered-races", "all"],
    "synccheck": [],
    "racecheck": [],
    "initcheck": [],
}
# Most programs leave their memory to process exit, so leaks are checked only where they matter.
FOR_LEAKS = ["--leak-check", "full"]
# Options that only newer versions have, added if the tool's help names them.
NEWER = {"initcheck": ["--initcheck-address-space", "all"]}
# The tool for each kind of defect.
MADE_FOR = {
    "race": "racecheck",
    "uninitialized": "initcheck",
    **dict.fromkeys(("mask", "divergent-barrier", "divergent-collective", "deadlock", "livelock"), "synccheck"),
    **dict.fromkeys(("out-of-bounds", "use-after-free", "wrong-space", "misaligned", "leak", "assert",
                     "api-error"), "memcheck"),
}
# What is running: the process of a tool, and the program under it.
running = {}
is_leaving = threading.Event()


def tools_for(kinds):
    """Name and options of the tools for defects of these kinds: memcheck and those made for them.

    Without a kind, and for kinds that no tool is made for, these are all tools.
    """
    some = {MADE_FOR.get(kind) for kind in kinds}
    names = OPTIONS if not some or None in some else [
        tool for tool in OPTIONS if tool == "memcheck" or tool in some]
    help_text = said_by_tool("--help")
    tools = {}
    for tool in names:
        tools[tool] = OPTIONS[tool] + [word for word in NEWER.get(tool, []) if NEWER[tool][0] in help_text]
    if "leak" in kinds:
        tools["memcheck"] = tools["memcheck"] + FOR_LEAKS
    return tools


def processes_of(session, program):
    """Ids of the processes of a session, and of those that run a program, whatever their session."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
            if int(fields[3]) == session or os.readlink(folder / "exe") == program:
                yield int(folder.name)
        except (OSError, IndexError):  # has exited meanwhile, or is not ours
            continue


def kill(process, program):
    """Kills a tool and the program under it, which would hold the GPU if it outlived the tool."""
    for number in list(processes_of(process.pid, str(pathlib.Path(program).resolve()))):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_all_when_ended():
    """If this process is told to end, nothing that hangs stays on the GPU."""
    def leave(number, _frame):
        is_leaving.set()
        for process, program in list(running.items()):
            kill(process, program)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def run(tool, extra, program, log, seconds):
    """What a tool wrote about a program with its arguments, and whether it had to be ended."""
    command = ["compute-sanitizer", "--tool", tool, *extra, *map(str, program)]
    hangs = False
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        running[process] = program[0]
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            hangs = True
        kill(process, program[0])
        process.wait()
        if is_leaving.is_set():  # ended by us: not a failure
            threading.Event().wait()
        del running[process]
    return pathlib.Path(log).read_text(encoding="utf-8", errors="replace"), hangs


def said_by_tool(option, known={}):  # pylint: disable=dangerous-default-value
    if option not in known:
        known[option] = subprocess.run(["compute-sanitizer", option], capture_output=True, text=True,
                                       check=False).stdout
    return known[option]


def version():
    number = re.search(r"Version (\S+)|version (\S+)", said_by_tool("--version"))
    return "compute-sanitizer " + (next(filter(None, number.groups())) if number else "?")


def gpu():
    if not shutil.which("nvidia-smi"):
        return ""
    said = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout
    return said.strip().splitlines()[0] if said.strip() else ""
