"""Times scikit-learn's DBSCAN for host_cluster_bench.

cluster_peer.py: prints scikit-learn's version.
cluster_peer.py POINTS EPS MIN_POINTS LABELS: POINTS holds x, y and z of each point as 32-bit floats. Prints the
milliseconds with one thread and with all threads, each the best of three runs, and writes LABELS as 32-bit integers.
"""
import sys
import time

import numpy
import sklearn
from sklearn.cluster import DBSCAN


def best(points, eps, min_points, threads):
    """The time of the fastest run in milliseconds, and its labels."""
    took = []
    for _ in range(3):
        begin = time.perf_counter()
        labels = DBSCAN(eps=eps, min_samples=min_points, n_jobs=threads).fit(points).labels_
        took.append(1e3 * (time.perf_counter() - begin))
    return min(took), labels


def main():
    if len(sys.argv) == 1:
        print(sklearn.__version__)
        return
    source, eps, min_points, target = sys.argv[1:]
    points = numpy.fromfile(source, dtype=numpy.float32).reshape(-1, 3).astype(numpy.float64)
    alone, labels = best(points, float(eps), int(min_points), 1)
    together, _ = best(points, float(eps), int(min_points), -1)
    labels.astype(numpy.int32).tofile(target)
    print(alone, together)


if __name__ == "__main__":
    main()
