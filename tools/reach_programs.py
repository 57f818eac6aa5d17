"""Finds the programs of other people's checkouts: their sources, flags, data and arguments.

NVIDIA's samples name them in their CMakeLists.txt, llm.c in its Makefile; CUB's tests are one file
each, linked with CCCL's helpers (c2h) and Catch2. A program whose `needs` is
not empty uses something that heddle does not offer, and is not tried.
"""
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

from defect_results import say

SOURCES = {".cu", ".cuh", ".cpp", ".c", ".h", ".hpp", ".hxx", ".txt", ".md"}
# Patterns in CMakeLists.txt and in the sources that put a program out of reach.
NEEDS = [
    (r"d3d1[12]|d3dcompiler", "Direct3D"),
    (r"NVSCI|NvSci|cudla", "NvSci or cuDLA"),
    (r"find_package\(Vulkan", "Vulkan"),
    (r"find_package\(EGL|GLES[23]/", "EGL or OpenGL ES"),
    (r"cuda_gl_interop\.h", "OpenGL"),
    (r"CUDA::nvrtc|nvrtc_helper", "NVRTC"),
    (r"CUDA::cufft", "cuFFT"),
    (r"cusparse\.h", "cuSPARSE"),
    (r"CUDA::cusolver", "cuSOLVER"),
    (r"CUDA::npp", "NPP"),
    (r"CUDA::nvjpeg", "nvJPEG"),
    (r"cublasXt\.h", "cublasXt"),
    (r"nvvm\.h|ptxgen", "libNVVM"),
    (r"#include <mma\.h>", "tensor cores"),
    (r"-fatbin|-ptx|_ptxdump", "code that the driver loads (PTX, cubin, fatbin)"),
]


@dataclasses.dataclass
class Program:
    name: str
    folder: pathlib.Path
    sources: list
    flags: list
    runs: list
    devices: int = 1
    needs: list = dataclasses.field(default_factory=list)
    shared: list = dataclasses.field(default_factory=list)  # sources that all programs of the checkout link
    makefile: str = ""  # its text, if the program is built with make; `needs` is then the reason if that fails
    passes: str = r"(?i)\btest passed|\bpass(ed)?\b|\bsuccess(ful|fully)?\b"
    fails: str = r"(?i)\btest failed|\bfailed\b|= *fail|\bmismatch\b|(?m:^error)"


def words_of(text, command, folder):
    """The arguments of every call of a CMake command, with the source folder substituted."""
    text = text.replace("${CMAKE_CURRENT_SOURCE_DIR}", str(folder))
    for arguments in re.findall(rf"\b{command}\s*\(([^)]*)\)", text, re.IGNORECASE):
        yield from (word for word in arguments.split() if "${" not in word and "$<" not in word)


def mpi_flags():
    """The flags with which mpicxx compiles and links; none if it is not installed."""
    if not shutil.which("mpicxx"):
        return []
    shown = [subprocess.run(["mpicxx", f"--showme:{how}"], capture_output=True, text=True, check=False).stdout
             for how in ("compile", "link")]
    return [word for word in " ".join(shown).split() if not word.startswith("-Wl")]


def text_of(folder):
    """The text of all sources in a folder."""
    return "".join(file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.rglob("*"))
                   if file.suffix in SOURCES - {".md", ".txt"})


def cmake_text(folder):
    file = folder / "CMakeLists.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def sample(cmake, arguments):
    folder = cmake.parent
    text = re.sub(r"(?m)^\s*#.*$", "", cmake.read_text(encoding="utf-8"))
    needs = [words for pattern, words in NEEDS if re.search(pattern, text + text_of(folder))]
    sources = [folder / word for word in words_of(text, "add_executable", folder)
               if pathlib.Path(word).suffix in {".cu", ".cpp", ".c"}]
    includes = [*words_of(text, "include_directories", folder), *words_of(text, "target_include_directories", folder)]
    folders = [folder / word for word in includes if word not in ("PUBLIC", "PRIVATE", "BEFORE", folder.name)]
    flags = ["-std=c++17", "--extended-lambda", "-rdc=true", "-lineinfo",
             *(f"-I{one.resolve()}" for one in folders if one.is_dir())]
    if "OpenMP::OpenMP_CXX" in text:
        flags += ["-Xcompiler", "-fopenmp"]
    if "find_package(MPI" in text:
        flags += mpi_flags()
        needs += [] if mpi_flags() else ["MPI"]
    entry = arguments.get(folder.name, {})
    runs = [run["args"] for run in entry.get("runs", [])] or [entry.get("args", [])]
    return Program(f"cuda-samples/{folder.name}", folder, list(dict.fromkeys(sources)), flags, runs,
                   entry.get("min_gpus", 1), needs)


def samples(root):
    arguments = json.loads((root / "test_args.json").read_text(encoding="utf-8"))
    for cmake in sorted(root.glob("Samples/*/*/**/CMakeLists.txt")):
        if re.search(r"add_executable|ptxgen", cmake.read_text(encoding="utf-8")):
            yield sample(cmake, arguments)


def llm_c(root):
    folder = root / "dev/cuda"
    makefile = (folder / "Makefile").read_text(encoding="utf-8")
    for file in sorted(folder.glob("*.cu")):
        text = file.read_text(encoding="utf-8")
        rule = re.search(rf"(?m)^{file.stem}: {file.name}\n\t(.*)$", makefile)
        flags = ["-O3", "--use_fast_math", "-lcublas", "-lcublasLt", "-std=c++17"]
        if rule and "-fopenmp" in rule[1]:
            flags += ["-Xcompiler", "-fopenmp"]
        # Other switches may come before the one that launches the kernel.
        choice = text.partition("switch (kernel_num)")[2]
        kernels = sorted({int(number) for number in re.findall(r"\bcase (\d+):", choice)})
        needs = ["NCCL"] if "nccl.h" in text else []
        yield Program(f"llm.c/{file.stem}", folder, [file], flags, [[str(one)] for one in kernels] or [[]], 1, needs)


def cub(root, catch2):
    """CUB's tests of warps, and those that its documentation quotes: small enough to build in minutes."""
    folder = root / "cub/test"
    includes = [root / "cub", root / "thrust", root / "libcudacxx/include", root / "c2h/include", folder,
                catch2 / "include"]
    definitions = re.findall(r"CATCH_CONFIG_PREFIX_ALL", cmake_text(root / "c2h"))
    flags = ["-std=c++17", "--extended-lambda", "-O1", *(f"-D{name}" for name in definitions[:1]),
             "-DC2H_HAS_CURAND=0", "-DTEST_LAUNCH=0", *(f"-I{one}" for one in includes), f"-L{catch2 / 'lib'}", "-lCatch2"]
    shared = [file for file in sorted((root / "c2h").iterdir()) if file.suffix in {".cu", ".cpp"}]
    for file in sorted({*folder.glob("catch2_test_warp_*.cu"), *folder.glob("catch2_test_*_api.cu")}):
        # A test with parameters is compiled once for each value; the first one will do.
        parameters = re.findall(r"(?m)^// %PARAM% (\w+) \w+ (\w+)", file.read_text(encoding="utf-8"))
        own = [f"-D{name}={value}" for name, value in parameters if name != "TEST_LAUNCH"]
        yield Program(f"cub/{file.stem.removeprefix('catch2_test_')}", folder, [file], [*flags, *own], [[]],
                      shared=shared)


def smaller_copy(program, note, scratch):
    """A copy of the program with smaller sizes in its sources, as the notes say; None if they have none."""
    if not note.get("smaller"):
        return None
    copy = scratch / "smaller"
    shutil.copytree(program.folder, copy, symlinks=True)
    changed = 0
    for file in sorted(copy.rglob("*")):
        if file.suffix not in SOURCES or not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        for pattern, replacement in note["smaller"].items():
            text, count = re.subn(pattern, replacement, text)
            changed += count
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
    if not changed:
        say(f"{program.name}: its sources have no size that tests/reach/notes.json reduces")
        return None
    moved = [copy / source.relative_to(program.folder) if source.is_relative_to(program.folder) else source
             for source in program.sources]
    return dataclasses.replace(program, sources=moved)


def copy_data(program, scratch):
    """Copies the program's data next to it, where it looks for them."""
    if not program.name.startswith("cuda-samples/"):
        return
    for entry in program.folder.iterdir():
        if entry.is_dir() and entry.name not in ("doc", "src", "inc", "boost"):
            shutil.copytree(entry, scratch / entry.name, dirs_exist_ok=True)
        elif entry.is_file() and entry.suffix not in SOURCES:
            shutil.copy(entry, scratch)
