"""Times PyTorch's row norms in CUDA graphs; prints JSON lines for norm_bench --peers."""
import json
import statistics

import torch
import torch.nn.functional as F

EXTENTS = [(8192, 4096), (8192, 8192), (32768, 1024), (32768, 128), (4096, 65536), (32, 4096)]
TOGETHER = 400 << 20  # bytes of all inputs, far above any cache


def microseconds(calls):
    """Microseconds per call in a replayed graph of all `calls`, whose results stay alive."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        calls[0]()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [call() for call in calls]
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    took = []
    for turn in range(13):
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        took.append(1e3 * begin.elapsed_time(end) / len(calls))
    del kept
    return statistics.median(took[2:])


def norms(columns, weight, bias):
    shape = (columns,)

    def add_rms_norm(x, r):
        total = x + r
        return total, F.rms_norm(total, shape, weight, 1e-6)

    def add_layer_norm(x, r):
        total = x + r
        return total, F.layer_norm(total, shape, weight, bias, 1e-5)

    return {
        "rms_norm": lambda x, r: F.rms_norm(x, shape, weight, 1e-6),
        "layer_norm": lambda x, r: F.layer_norm(x, shape, weight, bias, 1e-5),
        "softmax": lambda x, r: torch.softmax(x, -1),
        "log_softmax": lambda x, r: torch.log_softmax(x, -1),
        "add_rms_norm": add_rms_norm,
        "add_layer_norm": add_layer_norm,
    }


def main():
    torch.manual_seed(1)
    for rows, columns in EXTENTS:
        count = min(max(TOGETHER // (2 * rows * columns), 4), 512)
        make = lambda *extent: torch.randn(*extent, device="cuda", dtype=torch.bfloat16)
        inputs = [(make(rows, columns), make(rows, columns)) for _ in range(count)]
        for name, norm in norms(columns, make(columns), make(columns)).items():
            took = microseconds([lambda x=x, r=r: norm(x, r) for x, r in inputs])
            case = f"{name} {rows}x{columns}"
            line = {"case": case, "peer": f"PyTorch {torch.__version__}", "us": round(took, 3)}
            print(json.dumps(line), flush=True)
        del inputs
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
