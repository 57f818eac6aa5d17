"""Finds HeCBench's programs, builds them with their Makefiles, and lists the commands of `make run`.

A program is built in a copy of its folder, with `make CC="heddle cc"`, next to copies of the folders that its files
mention. An argument that says how often a kernel is repeated to time it becomes 1.
"""
import os
import re
import shlex
import shutil

from reach_programs import SOURCES, Program, text_of

# Patterns in the Makefile and in the sources of what a program needs: the reason if it cannot be built.
NEEDS = [
    (r"#\s*include\s*[<\"]mpi\.h|\bmpi(run|exec|CC|cxx)\b", "MPI"),
    (r"#\s*include\s*[<\"]nccl\.h", "NCCL"),
    (r"#\s*include\s*[<\"]nvshmem", "NVSHMEM"),
    (r"#\s*include\s*[<\"]cufft", "cuFFT"),
    (r"#\s*include\s*[<\"]cusparse", "cuSPARSE"),
    (r"#\s*include\s*[<\"]cusolver", "cuSOLVER"),
    (r"#\s*include\s*[<\"]cudnn", "cuDNN"),
    (r"#\s*include\s*[<\"]nvrtc\.h", "NVRTC"),
    (r"#\s*include\s*[<\"](cutlass|cute)/", "CUTLASS"),
    (r"#\s*include\s*[<\"](mma|crt/mma)\.h|\bwmma::", "tensor cores"),
    (r"#\s*include\s*[<\"](torch|ATen)/|setup\.py|python run\.py", "PyTorch"),
    (r"#\s*include\s*[<\"]boost/", "Boost"),
    (r"#\s*include\s*[<\"]gsl/", "GSL"),
    (r"#\s*include\s*[<\"]gdal|-lgdal", "GDAL"),
    (r"#\s*include\s*[<\"]hdf5", "HDF5"),
    (r"(?m)^(CC|NVCC)\s*=\s*nvc\+\+", "nvc++"),
    (r"#\s*include\s*[<\"](GL|GLES\d?)/", "OpenGL"),
]
NO_DATA = "data that are not in the checkout"
# Passes and fails as these programs word them.
PASSES = r"\b(PASS(ED)?|Pass(ed)?|passed|SUCCESS(FUL)?|Success)\b|[:=] *(pass|success|OK|ok)\b|\([Vv]alid\)|\breturned OK\b" \
         r"|(?i:\bresults? match\b|\bis correct\b|\bverified\b)|\bMATCHES\b"
FAILS = r"(?i:(?<!0 )\b(fail(ed|s|ure)?|mismatch(es)?)\b(?! *[:=] *0\b)|\bincorrect\b(?! [^:]*: *0\b)" \
        r"|(\bnot|n't) (match|equal|agree))|(?m:^(ERROR|Error)[:!](?! *[-+.\d]))"
# How programs say that a file is missing.
NOT_OPENED = r"(?im)^.*(no such file|\b(unable|fail(ed|s)?|could not|cannot|can not|can't|couldn't|error)\b.{0,12}\b(open|find)\b).*$"
# How often a kernel is repeated to time it, as the sources read it from an argument.
REPETITIONS = r"(?i)\b(?:n_?|num_?)?(?:repeats?|repetitions?|iterations?|iters?|runs?)\w*\s*=\s*(?:std::)?" \
              r"(?:ato[il]+|sto[il]+|strtou?ll?)\s*\(\s*argv\s*\[\s*(\d+)\s*\]"
OPTION = r"--(n|num_?)?(repeat|iter)\w*"
COMPILERS = r"\S*(heddle|nvcc|g\+\+|gcc|c\+\+|cc|ar|ranlib)\s"


def is_elsewhere(pointer):
    """Whether the data that a file of DVC stands for are not in the checkout."""
    return not pointer.with_suffix("").exists()


def hecbench(root):
    for makefile in sorted((root / "src").glob("*-cuda/Makefile")):
        folder = makefile.parent
        text = makefile.read_text(encoding="utf-8", errors="replace")
        sources = text_of(folder)
        needs = list(dict.fromkeys(words for pattern, words in NEEDS if re.search(pattern, text + sources)))
        if any(map(is_elsewhere, folder.rglob("*.dvc"))):
            needs.append(NO_DATA)
        yield Program(f"hecbench/{folder.name.removesuffix('-cuda')}", folder, [], [], [], 1, needs,
                      makefile=text, passes=PASSES, fails=FAILS)


def copy_folder(program, scratch):
    """The program's folder in `scratch`, next to copies of the folders that its files mention, and that theirs do.

    Links would let a program write its results into the checkout.
    """
    place = scratch / "src" / program.folder.name
    shutil.copytree(program.folder, place, ignore_dangling_symlinks=True)
    mentions = program.makefile + text_of(program.folder)
    while mentions:
        names = set(re.findall(r"\.\./([\w+.-]*\w)", mentions))
        mentions = ""
        for name in sorted(names):
            beside, copy = program.folder.parent / name, scratch / "src" / name
            if beside.is_dir() and not copy.exists():
                shutil.copytree(beside, copy, ignore_dangling_symlinks=True)
                mentions += text_of(beside)
    return place


def make_command(program, heddle):
    """make, with each variable that is nvcc set to `heddle`."""
    compilers = re.findall(r"(?m)^(\w+)\s*[:?]?=\s*nvcc\s*$", program.makefile)
    ours = ["ARCH=sm_90"] if re.search(r"(?m)^ARCH\s*[:?]?=\s*sm_", program.makefile) else []
    return ["make", "--no-print-directory", *(f"{name}={heddle}" for name in compilers), *ours]


def without_repetitions(arguments, sources):
    """The arguments, with 1 for each that says how often a kernel is repeated."""
    places = {int(number) for number in re.findall(REPETITIONS, sources)}
    places |= {place for place in range(1, len(arguments)) if re.fullmatch(OPTION, arguments[place - 1])}
    return ["1" if place in places and word.isdigit() else word for place, word in enumerate(arguments)]


def commands_of(recipe, program):
    """The commands of `make -n run` for a program that has been built, without those that compile or print."""
    sources = text_of(program.folder)
    commands = []
    for line in recipe.replace("\\\n", " ").splitlines():
        line = line.strip()
        if not line or re.match(rf"#|make|mkdir|echo|ulimit|rm |{COMPILERS}", line):
            continue
        if re.search(r"[;&|<>$`=]", shlex.split(line)[0]) or re.search(r"[;&|<>$`]", re.sub(r"\"[^\"]*\"", "", line)):
            commands.append(["bash", "-c", line])
        else:
            commands.append(without_repetitions(shlex.split(line), sources))
    return commands


def missing_words(command, place):
    """The words of a command that look like names of files, and that do not exist."""
    return [word for word in command[1:] if re.fullmatch(r"[\w./][\w.+/-]*(/|\.[A-Za-z])[\w.+/-]*", word)
            and not os.path.lexists(place / word)]


def data_that_lack(words, status, output, place):
    """What says that a program lacks data: its own message, or one of the missing words of its command."""
    said = re.search(NOT_OPENED, output)
    if said:
        return said[0].strip()[:100]
    words = [word for word in words if not (place / word).exists()]
    if status is not None and 0 < status < 128 and re.search(r"(?i)open|read|load|file|exist", output):
        return next(iter(words), "")
    # Some go on without it, or crash. A file for results would be in a folder that exists, and not in one of data.
    folders = {word: (place / word).parent for word in words if "/" in word}
    return next((word for word, folder in folders.items()
                 if not folder.is_dir() or any(map(is_elsewhere, folder.glob("*.dvc")))), "")
