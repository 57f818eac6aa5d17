"""Compares cuRAND's host API with the toolkit's library, whose host generators need no GPU.

usage: curand_numbers_test.py PROGRAM

PROGRAM is built from curand_numbers.cpp. Skipped (exit code 77) if there is no libcurand."""
import ctypes
import ctypes.util
import math
import subprocess
import sys

XORWOW, MRG, MT, PHILOX, SOBOL32, SOBOL64 = 101, 121, 142, 161, 201, 203
LEGACY = 103

# name -> function, type of the numbers, arguments, allowed relative error
CALLS = {
    "bits": ("curandGenerate", ctypes.c_uint, (), 0),
    "wide_bits": ("curandGenerateLongLong", ctypes.c_ulonglong, (), 0),
    "uniform": ("curandGenerateUniform", ctypes.c_float, (), 0),
    "uniform_double": ("curandGenerateUniformDouble", ctypes.c_double, (), 0),
    "normal": ("curandGenerateNormal", ctypes.c_float,
               (ctypes.c_float(0.25), ctypes.c_float(1.5)), 4e-6),
    "normal_double": ("curandGenerateNormalDouble", ctypes.c_double,
                      (ctypes.c_double(0.25), ctypes.c_double(1.5)), 4e-14),
    "log_normal": ("curandGenerateLogNormal", ctypes.c_float,
                   (ctypes.c_float(0.25), ctypes.c_float(0.5)), 4e-6),
    "log_normal_double": ("curandGenerateLogNormalDouble", ctypes.c_double,
                          (ctypes.c_double(0.25), ctypes.c_double(0.5)), 4e-14),
}

# type, order, seed, offset, dimensions, calls in this order; 0 leaves a setting at its default.
GENERATORS = [
    (XORWOW, 0, 0, 0, 0, "bits:9000 bits:3"),
    (XORWOW, 0, 0xDEADBEEFCAFEF00D, 12345, 0, "bits:5000"),
    (XORWOW, LEGACY, 7, 0, 0, "bits:5000"),
    (XORWOW, 0, 42, 0, 0, "bits:5 uniform_double:5000 uniform:7 normal:6000 normal_double:9000"),
    (XORWOW, 0, 42, 4095, 0, "log_normal:10 log_normal_double:10 bits:5 normal:3"),
    (MRG, 0, 0, 0, 0, "bits:90000"),
    (MRG, LEGACY, 0x123456789ABCDEF, 999, 0, "bits:9000 uniform:5 uniform_double:5"),
    (MRG, 0, 42, 0, 0, "normal:20 normal_double:20 bits:10 wide_bits:2"),
    (PHILOX, 0, 0, 0, 0, "bits:300000"),
    (PHILOX, 0, 0xDEADBEEFCAFEF00D, 262145, 0, "bits:5 uniform:6 bits:2"),
    (PHILOX, 0, 42, 0, 0, "uniform_double:4000"),
    (PHILOX, 0, 42, 0, 0, "normal:4000 normal_double:4000 log_normal:4"),
    (MT, 0, 5489, 0, 0, "bits:1 uniform:0"),
    (SOBOL32, 0, 0, 0, 0, "bits:1000"),
    (SOBOL32, 0, 0, 77, 37, "bits:3700 uniform:37 uniform_double:74 bits:36"),
    (SOBOL32, 0, 0, 0, 3, "normal:300 normal_double:300 log_normal:3 log_normal_double:3"),
    (SOBOL64, 0, 0, 5, 37, "wide_bits:3700 uniform:37 uniform_double:74 normal_double:74 bits:37"),
]


def load_library():
    for name in ("libcurand.so.10", "/usr/local/cuda/lib64/libcurand.so.10"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def numbers_of_library(library, description):
    """One list for each call: its status, and its numbers if it succeeds."""
    kind, order, seed, offset, dimensions, calls = description
    generator = ctypes.c_void_p()
    if library.curandCreateGeneratorHost(ctypes.byref(generator), kind) != 0:
        return None
    if order:
        library.curandSetGeneratorOrdering(generator, order)
    if seed:
        library.curandSetPseudoRandomGeneratorSeed(generator, ctypes.c_ulonglong(seed))
    if offset:
        library.curandSetGeneratorOffset(generator, ctypes.c_ulonglong(offset))
    if dimensions:
        library.curandSetQuasiRandomGeneratorDimensions(generator, dimensions)
    results = []
    for call in calls.split():
        name, count = call.split(":")
        function, number, arguments, _ = CALLS[name]
        output = (number * int(count))()
        status = getattr(library, function)(generator, output, ctypes.c_size_t(int(count)),
                                            *arguments)
        results.append([status] + (list(output) if status == 0 else []))
    library.curandDestroyGenerator(generator)
    return results


def parsed(line, number):
    words = line.split()
    assert words[0] == "status", line
    convert = int if number in (ctypes.c_uint, ctypes.c_ulonglong) else float
    values = [convert(word) for word in words[2:]]
    if number is ctypes.c_float:
        values = [ctypes.c_float(value).value for value in values]
    return [int(words[1])] + values


def main():
    library = load_library()
    if library is None or numbers_of_library(library, GENERATORS[0]) is None:
        print("skipped: no libcurand.so.10 whose host generators work")
        return 77
    text = "".join(" ".join(map(str, one)) + "\n" for one in GENERATORS)
    lines = iter(subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True,
                                check=True).stdout.splitlines())
    failures = 0
    for description in GENERATORS:
        for call, expected in zip(description[5].split(),
                                  numbers_of_library(library, description)):
            _, number, _, tolerance = CALLS[call.split(":")[0]]
            got = parsed(next(lines), number)
            same = len(got) == len(expected) and all(
                a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
                for a, b in zip(got, expected))
            if not same:
                failures += 1
                first = next((i for i, (a, b) in enumerate(zip(got, expected))
                              if not math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)), -1)
                print(f"FAIL {description[:5]} {call}: entry {first}:",
                      f"{got[first]} instead of {expected[first]}")
    print(f"{len(GENERATORS)} generators, {failures} calls with other numbers")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
