"""Tables of bench/experiments for the pages: each experiment, its counters, and the claims of texts."""

# The name of an experiment's block on a page, and the parts of a variant that get their own column.
BLOCKS = {
    "shuffle against shared memory": "shuffle",
    "xor against down": "xor",
    "unrolling": "unrolling",
    "divergence": "divergence",
    "vote-unified branches": "votes",
    "aggregated against plain atomics": "atomics",
    "lock-free against locked": "locks",
    "latency and throughput": "operations",
    "barriers": "barriers",
    "lanes outside the mask": "outside",
}
# The column heading of a metric.
HEADS = {"busy": "ns, all full", "alone": "cycles, alone"}


def number(value):
    value += 0.0 if abs(value) >= 0.005 else -value  # no -0.00
    if value == int(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def in_order(values):
    return list(dict.fromkeys(values))


def by_variant(rows):
    """One experiment: a line for each variant, a column for each metric."""
    metrics = in_order((row["metric"], row["unit"]) for row in rows)
    found = {(row["variant"], row["metric"]): row["value"] for row in rows}
    heads = ["variant"] + [HEADS.get(metric, f"{metric}, {unit}") for metric, unit in metrics]
    lines = [[variant] + [number(found[variant, metric]) if (variant, metric) in found else ""
                          for metric, _ in metrics]
             for variant in in_order(row["variant"] for row in rows)]
    return table(heads, lines)


def by_counter(rows_of):
    """The same for counters, {who has counted: rows}: where both have, `heddle's / ncu's`."""
    rows_of = {who: rows_of[who] for who in sorted(rows_of)}
    rows = [row for one in rows_of.values() for row in one]
    metrics = in_order(row["metric"] for row in rows)
    # Drop columns whose counts are all zero.
    metrics = [metric for metric in metrics if any(row["value"] for row in rows if row["metric"] == metric)]
    found = {(who, row["variant"], row["metric"]): row["value"] for who, one in rows_of.items() for row in one}
    heads, lines = ["counted"], {variant: [variant] for variant in in_order(row["variant"] for row in rows)}
    for metric in metrics:
        counted_by = [who for who in rows_of if any(row["metric"] == metric for row in rows_of[who])]
        heads.append(f"{metric} ({' / '.join(counted_by)})")
        for variant, line in lines.items():
            line.append(" / ".join(number(found[who, variant, metric]) if (who, variant, metric) in found
                                   else "" for who in counted_by))
    return table(heads, list(lines.values()))


# ---- claims

class Figures:
    """The figures of a run, by experiment, variant and metric."""

    def __init__(self, rows):
        self.found = {(row["experiment"], row["variant"], row["metric"]): row["value"] for row in rows}

    def __call__(self, experiment, variant, metric):
        return self.found[experiment, variant, metric]

    def has(self, experiment, variant):
        return any(key[:2] == (experiment, variant) for key in self.found)

    def latency(self, variant):
        return self("latency and throughput", variant, "latency")

    def barrier(self, variant):
        return self("barriers", variant, "latency")

    def busy(self, experiment, variant):
        return self(experiment, variant, "busy")

    def speed(self, experiment, variant):
        return self(experiment, variant, "speed")


def within(value, low, high):
    """Half a unit and a tenth are no contradiction."""
    return low * 0.9 - 0.5 <= value <= high * 1.1 + 0.5


def verdict(holds, otherwise):
    return "yes" if holds else otherwise


def shuffle_claims(figures):
    latency = figures.latency("__shfl_xor_sync")
    lanes = figures("latency and throughput", "__shfl_xor_sync", "throughput")
    yield ("a shuffle takes one cycle",
           f"{number(latency)} cycles until its result can be used",
           verdict(within(latency, 1, 1), "no: that is how often one can start, not how long it takes"))
    yield ("32 shuffles per cycle and multiprocessor",
           f"{number(lanes)} lanes a cycle: {number(lanes / 32)} shuffles of whole warps",
           verdict(within(lanes, 32, 32), "no") + (", if a shuffle is counted for each lane"
                                                   if within(lanes, 32, 32) else ""))


def barrier_claims(figures):
    warp, masked = figures.latency("__syncwarp of all lanes"), figures.latency("__syncwarp of a mask in a register")
    in_branch, parted = "", "__syncwarp of half of the lanes, in a branch"
    is_short, holds_parted = within(warp, 0, 2) and within(masked, 0, 2), True
    if figures.has("latency and throughput", parted):
        in_branch = f", {number(figures.latency(parted))} in a branch that half of the lanes take"
        holds_parted = within(figures.latency(parted), 0, 2)
    yield ("a warp sync takes 1–2 cycles",
           f"{number(warp)} cycles with all lanes in the source, {number(masked)} with a mask in a register{in_branch}",
           verdict(is_short and holds_parted,
                   "nothing where the compiler knows that the warp is whole, more where it is parted"
                   if is_short else "no"))
    blocks = [figures.barrier(f"__syncthreads, {threads} threads") for threads in (32, 256, 1024)]
    yield ("a block sync takes about 10 cycles",
           f"{number(blocks[0])} cycles with 32 threads, {number(blocks[1])} with 256, {number(blocks[2])} with 1024",
           verdict(within(blocks[2], 5, 15), "only of one warp: it grows with the block"
                   if within(blocks[0], 5, 15) else "no: more, and it grows with the block"))
    grid = figures.barrier("grid barrier, a block of 256 threads a multiprocessor")
    full = figures.barrier("grid barrier, two blocks of 1024 threads a multiprocessor")
    yield ("a grid sync takes about 100 cycles",
           f"{number(grid)} cycles with one block a multiprocessor, {number(full)} with full ones",
           verdict(within(grid, 50, 200), f"no: {grid / 100:.0f} times as many"))


def divergence_claims(figures):
    name = "divergence"
    short, long = (figures(name, f"all go the {way} way", "alone") for way in ("short", "long"))
    both = figures(name, "half short, half long: branches", "alone")
    loop = figures(name, "half short, half long: one loop", "alone")
    is_sum = abs(both - (short + long)) < abs(both - long)
    loop_is_longest = abs(loop - long) < abs(loop - (short + long))
    yield ("divergence costs the longest branch (or the sum?)",
           f"short {number(short)} cycles, long {number(long)}; half of the lanes each: {number(both)}, "
           f"as one loop of two lengths {number(loop)}",
           ("the sum of the branches" if is_sum else "the longest branch") + "; " +
           ("the longest, if it is one loop" if loop_is_longest else "of one loop, too"))


def memory_claims(figures):
    name = "shuffle against shared memory"
    shuffles = figures.busy(name, "shuffles")
    ratios = [figures.busy(name, f"shared memory, {how}") / shuffles
              for how in ("the same steps", "tree", "every lane reads all")]
    from_memory, is_limited = "", False
    for start, words in (("rows from memory", "that reads memory"),
                         ("rows from memory, agreed", "that reads memory in a loop that all lanes agree on")):
        if figures.has(name, f"{start}: shuffles"):
            ratio = (figures.speed(name, f"{start}: shuffles") /
                     figures.speed(name, f"{start}: shared memory, the same steps"))
            from_memory += f"; {ratio:.2f} times in a kernel {words}"
            is_limited = ratio < 1.1
    yield ("shuffles beat shared memory 1.5–2 times",
           f"{ratios[0]:.2f} times with the same steps, {ratios[1]:.2f} against a tree, {ratios[2]:.2f} if every "
           f"lane reads all{from_memory}",
           verdict(within(ratios[0], 1.5, 2), "no: more" if ratios[0] > 2 else "no: less") +
           ("; not where something else is the limit" if is_limited else ""))


def lock_claims(figures):
    name = "lock-free against locked"
    launches = ("1 warp", "1 block", "256 lanes a multiprocessor")
    parts = []
    ratios = []
    for what in ("queue, single lanes", "stack, single lanes", "queue, warps together", "stack, warps together"):
        one = [figures.speed(name, f"{what}, {launch}") / figures.speed(name, f"locked {what}, {launch}")
               for launch in launches]
        ratios += one
        parts.append(f"{what}: " + ", ".join(number(ratio) for ratio in one))
    low, high = min(ratios), max(ratios)
    yield ("lock-free beats locked 2–3 times, and 5–10 times where many compete",
           "; ".join(parts) + f" (times, with {', '.join(launches)})",
           verdict(within(low, 2, 3) and within(high, 5, 10),
                   f"depends: {number(low)} to {number(high)} times"))


def outside_claims(figures):
    name = "lanes outside the mask"
    parts, all_zero = [], True
    for variant in ("the asked lane is in another branch", "the asked lane has exited",
                    "the asked lane is beyond the warp"):
        counts = {metric: figures(name, variant, metric)
                  for metric in ("got 0", "got their own value", "got the asked lane's value")}
        most = max(counts, key=counts.get)
        outcome = f"{number(counts[most])} of 16 {most}" if counts[most] else "none of these values"
        parts.append(f"{variant}: {outcome}")
        all_zero = all_zero and counts["got 0"] == 16
    yield ("lanes outside the mask get 0", "; ".join(parts),
           verdict(all_zero, "nothing promises it; beyond the warp it is one's own value"))


def unrolling_claims(figures):
    name = "unrolling"
    warp = figures.busy(name, "sum of a warp, a loop") / figures.busy(name, "sum of a warp, unrolled")
    parts, gains = [f"sum of a warp: {warp:.2f} times as fast"], [warp]
    for warps in (8, 64):
        start = f"array, {warps} warps a multiprocessor: "
        gain = figures.speed(name, start + "unrolled by 8") / figures.speed(name, start + "a loop")
        gains.append(gain)
        parts.append(f"array with {warps} warps a multiprocessor, by 8: {gain:.2f} times")
    yield ("unrolling pays", "; ".join(parts),
           verdict(min(gains) > 1.1, "yes where a warp waits for itself; not where enough warps hide it"
                   if max(gains) > 1.1 else "no"))


def claims(rows):
    figures = Figures(rows)
    lines = [line for part in (shuffle_claims, barrier_claims, divergence_claims, memory_claims, lock_claims,
                               outside_claims, unrolling_claims) for line in part(figures)]
    return table(("claim", "measured", "verdict"), lines)


# ---- blocks of a page

def experiment_blocks(rows):
    found = {}
    for experiment, name in BLOCKS.items():
        own = [row for row in rows if row["experiment"] == experiment]
        if own:
            found[f"experiment-{name}"] = by_variant(own)
    if all(any(row["experiment"] == experiment for row in rows) for experiment in BLOCKS):
        found["claims"] = claims(rows)
    return found


def counter_blocks(counted):
    """Of {who has counted: rows}."""
    found = {}
    for experiment, name in BLOCKS.items():
        own = {who: [row for row in rows if row["experiment"] == experiment] for who, rows in counted.items()}
        own = {who: rows for who, rows in own.items() if any(row["value"] for row in rows)}
        if own:
            found[f"counters-{name}"] = by_counter(own)
    return found
