"""The kernels that tests/defects/irregular/irregular.cu can become: patterns, workers, loops, planted defects."""
from defect_results import DEFECTS

SOURCE = DEFECTS / "irregular/irregular.cu"
WORKERS = ("thread", "warp", "block")
LOOPS = ("once", "strided")
# The defects that can be planted in a pattern. Barriers are needed only if several members share a vertex.
PLANTED = {
    "conditional_vertex": ("atomic", "bounds", "guard", "sync"),
    "conditional_edge": ("atomic", "bounds", "guard"),
    "pull": ("bounds", "race", "sync"),
    "push": ("atomic", "bounds", "guard", "race"),
    "worklist": ("atomic", "bounds", "guard", "sync"),
    "paths": ("atomic", "bounds", "guard", "race"),
}
# Graphs, by shape and number of vertices.
INPUTS = {"tiny": ("star 5", "line 6", "random 8"), "larger": ("star 130", "random 200")}


def kernels():
    """Name and compiler flags of each kernel; names are pattern/worker/loop/defect."""
    flags = {}
    for pattern, defects in PLANTED.items():
        for worker in WORKERS:
            for loop in LOOPS:
                for defect in ("none", *defects):
                    if defect == "sync" and worker == "thread":
                        continue
                    flags[f"{pattern}/{worker}/{loop}/{defect}"] = [
                        f"-DPATTERN={pattern}", f"-DWORKER={worker}", f"-DLOOP={loop}",
                        f"-DPLANTED={defect}"]
    return flags


def defect_of(name):
    return name.rsplit("/", 1)[1]


def expected_kind(name):
    """The kind of finding that the planted defect is; none for a kernel without one."""
    defect = defect_of(name)
    return {"none": None, "bounds": "out-of-bounds"}.get(defect, "race")
