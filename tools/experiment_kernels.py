"""Which kernels of bench/experiments belong to which experiment, and what is counted of them.

A kernel is found by a pattern in its name, as plain() writes it. Counters of ncu carry its names, and so
do those of `heddle profile` that equal them; names that begin with `heddle.` are heddle's alone, and
`x + y` is a sum.
"""
import re

INSTRUCTIONS = "smsp__inst_executed.sum"
LANES = "smsp__thread_inst_executed_per_inst_executed.ratio"
SHARED = ("smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")
ATOMICS = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum + l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"
LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
PARTED = ("heddle.warp_efficiency", "heddle.divergent_branches")
PIPES = tuple(f"sm__inst_executed_pipe_{pipe}.sum" for pipe in ("alu", "fma", "lsu", "adu", "uniform", "cbu"))

# How tables name a counter, and its unit.
WORDS = {
    INSTRUCTIONS: ("instructions of warps", "instructions"),
    LANES: ("lanes for each instruction", "lanes"),
    SHARED[0]: ("shared loads", "requests"),
    SHARED[1]: ("shared stores", "requests"),
    SHARED[2]: ("wavefronts of shared loads", "wavefronts"),
    SHARED[3]: ("wavefronts of shared stores", "wavefronts"),
    ATOMICS: ("atomics", "requests"),
    LOADS: ("global loads", "requests"),
    "sm__cycles_active.max": ("cycles", "cycles"),
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio":
        ("warps that wait for memory, for each instruction", "warps"),
    "heddle.warp_efficiency": ("lanes at work in a block of the source", "%"),
    "heddle.divergent_branches": ("divergent branches", "branches"),
    "heddle.shuffles": ("shuffles", "meetings"),
    "heddle.syncwarps": ("__syncwarp", "meetings"),
    "heddle.votes": ("votes", "meetings"),
    "heddle.matches": ("matches", "meetings"),
    "heddle.atomic_lanes": ("lanes that make an atomic", "lanes"),
}
for _pipe in PIPES:
    WORDS[_pipe] = (f"instructions of the pipe {_pipe.split('_')[-1].split('.')[0]}", "instructions")

# sum_by_xor also runs with a feed that only lane 0 reads, for comparison.
ALL_LISTEN = r"number_feed<float(, 32, 1)?>[;,] (Collective = )?sum_by_xor\b"

EXPERIMENTS = (
    ("shuffle against shared memory",
     (INSTRUCTIONS, *SHARED, "heddle.shuffles", "heddle.syncwarps", "heddle.warp_efficiency"), (
         ("shuffles", ALL_LISTEN),
         ("shared memory, the same steps", r"\bsum_by_shared_exchange\b"),
         ("shared memory, tree", r"\bsum_by_shared_tree\b"),
         ("shared memory, every lane reads all", r"\bsum_by_shared_reading\b"))),
    ("xor against down", (INSTRUCTIONS, "heddle.shuffles"), (
        ("xor: sum in all lanes", ALL_LISTEN),
        ("down: in lane 0", r"\bsum_by_down\b"),
        ("down and broadcast: in all lanes", r"\bsum_by_down_and_broadcast\b"))),
    ("unrolling", (INSTRUCTIONS, LOADS, "sm__cycles_active.max",
                   "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                   "heddle.shuffles"), (
         ("sum of a warp, unrolled", ALL_LISTEN),
         ("sum of a warp, a loop", r"\bsum_by_rolled_xor\b"),
         ("array: a loop", r"\bsum_unrolled<(int times = )?1>"),
         ("array: unrolled by 8", r"\bsum_unrolled<(int times = )?8>"),
         ("array: grid-stride loop, unrolled by 8", r"\bsum_grid_stride<(int times = )?8>"))),
    ("divergence", (INSTRUCTIONS, LANES, *PARTED), (
        *((f"{ways} way{'s' if ways > 1 else ''}, branches", rf"\bbranches_in<{ways}>")
          for ways in (1, 2, 4, 8, 16)),
        ("16 ways, same code, different data", r"\bchoices_in<16>"),
        ("half short, half long: branches", r"\bshort_and_long\b"),
        ("half short, half long: one loop", r"\bshort_and_long_loop\b"))),
    ("vote-unified branches", (INSTRUCTIONS, LANES, *PARTED, "heddle.votes"), tuple(
        (f"{start}{job}, {who}: {how}", rf"\b{name}<{period}{by_data}>")
        for start, by_data in (("", r"(, (0|false))?"), ("data-dependent, ", r", (1|true)"))
        for job, as_it_is, voted, does in (
            ("two ways", "parted", "voted", "joined by a vote"),
            ("work or nothing", "lone", "skipped", "skipped by a vote"))
        for period, who in ((1, "all lanes take it"), (2, "half take it"), (32, "one lane takes it"),
                            (0, "no lane takes it"))
        for name, how in ((as_it_is, "as it is"), (voted, does)))),
    ("aggregated against plain atomics", (INSTRUCTIONS, ATOMICS, "heddle.atomic_lanes", "heddle.matches"), (
        ("1 counter, an atomic for each lane", r"\bplain_ticket\b"),
        ("1 counter, one for the warp", r"\bjoined_ticket\b"),
        ("1 counter, one for each counter, by a match", r"\bmatched_ticket\b"))),
    ("lock-free against locked", (INSTRUCTIONS, LANES, ATOMICS, "heddle.atomic_lanes"), (
        ("counter: atomicAdd", r"\bcount_by_addition\b"),
        ("counter: compare and swap", r"\bcount_by_exchange\b"),
        ("counter: under a spin lock", r"\bcount_under_lock\b"),
        ("stack, single lanes", r"push_and_pop<(bool together = )?(0|false)\W.*container::stack_view"),
        ("locked stack, single lanes", r"push_and_pop<(bool together = )?(0|false)\W.*locked_stack_view"),
        ("stack, warps together", r"push_and_pop<(bool together = )?(1|true)\W.*container::stack_view"),
        ("locked stack, warps together",
         r"push_and_pop<(bool together = )?(1|true)\W.*locked_stack_view"))),
    ("latency and throughput", (INSTRUCTIONS, *PIPES), (
        ("multiply and add (for comparison)", r"\bmultiply_and_add\b"),
        ("__shfl_xor_sync", r"\bshuffle_by_xor\b"),
        ("__ballot_sync of a comparison", r"\bvote_ballot\b"),
        ("__any_sync of a comparison", r"\bvote_any\b"),
        ("__match_any_sync, all the same", r"\bmatch_any\b"),
        ("__match_all_sync, all the same", r"\bmatch_all\b"),
        ("__reduce_add_sync", r"\breduce_add\b"),
        ("__syncwarp of all lanes", r"\bsynchronise_warp\b"),
        ("__syncthreads, 1024 threads", r"\bsynchronise_block\b"))),
)


def plain(name):
    """A kernel's name without the bench's namespace and without casts of template arguments."""
    return re.sub(r"heddle_bench::|\((int|bool|unsigned int)\)", "", name)


def metrics_of_ncu():
    names = {part for _, metrics, _ in EXPERIMENTS for metric in metrics
             if not metric.startswith("heddle.") for part in metric.split(" + ")}
    return sorted(names)


def rows_of(counts):
    """Rows of {experiment, variant, metric, unit, value} from {kernel's name: {metric: value}}; counters
    that nobody has counted are left out, and kernels that are missing raise a KeyError."""
    rows = []
    for experiment, metrics, variants in EXPERIMENTS:
        for variant, pattern in variants:
            found = [values for name, values in counts.items() if re.search(pattern, plain(name))]
            if len(found) != 1:
                raise KeyError(f"{len(found)} kernels are '{variant}' of '{experiment}'")
            for metric in metrics:
                value = sum_of(found[0], metric)
                if value is not None:
                    words, unit = WORDS[metric]
                    rows.append({"experiment": experiment, "variant": variant, "metric": words,
                                 "unit": unit, "value": value, "counter": metric})
    return rows


def sum_of(values, metric):
    if metric in values:
        return values[metric]
    known = [values[part] for part in metric.split(" + ") if part in values]
    return sum(known) if known else None
