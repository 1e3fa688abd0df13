"""The loops of core/base/kernel/loops_test.go in PyTorch on one thread.

    python3 loops.py

Reads requests, one JSON object a line: {"key": ...} is answered with the milliseconds that a loop takes, and what it finds on
fresh arrays.
"""
import json
import sys
import time

import numpy as np
import torch

from blas import version

torch.set_num_threads(1)
NODES, FEATURES, NARROW = 3000, 512, 64
PAPERS, DENSITY = 3025, 0.24
WORDS, PAIRS, TARGETS, RATE = 10_000, 20_000, 6, 1e-4
ITEMS, CLASSES, SPREAD = 100_000, 16, 20
SINGLE, DOUBLE = torch.float32, torch.float64


def mix(n, seed=0):
    x = np.arange(n, dtype=np.uint32) + np.uint32(seed << 24)
    x ^= x >> np.uint32(15)
    x *= np.uint32(0x2C1B3C6D)
    x ^= x >> np.uint32(12)
    x *= np.uint32(0x297A2D39)
    return x ^ (x >> np.uint32(15))


def fill(rows, columns, seed, kind):
    return torch.from_numpy(mix(rows * columns, seed) / 2.0**32 - 0.5).to(kind).reshape(rows, columns)


def squares(x):
    return float(x.double().square().sum())


def product(columns, kind):
    a, b = fill(NODES, FEATURES, 1, kind), fill(FEATURES, columns, 2, kind)
    out = torch.empty(NODES, columns, dtype=kind)
    return lambda: torch.mm(a, b, out=out), lambda: squares(out)


def transposed(kind):
    a, g = fill(NODES, FEATURES, 1, kind), fill(NODES, FEATURES, 2, kind)
    out = torch.zeros(FEATURES, FEATURES, dtype=kind)
    return lambda: out.addmm_(a.T, g), lambda: squares(out)


def sparse(kind):
    there = (mix(PAPERS * PAPERS) < DENSITY * 2**32).reshape(PAPERS, PAPERS)
    start = torch.from_numpy(np.concatenate([[0], np.cumsum(there.sum(1))]))
    index = torch.from_numpy(np.ascontiguousarray(np.nonzero(there)[1]))
    matrix = torch.sparse_csr_tensor(start, index, fill(1, len(index), 1, kind)[0], (PAPERS, PAPERS))
    b, found = fill(PAPERS, NARROW, 2, kind), [None]

    def run():
        found[0] = matrix @ b

    return run, lambda: squares(found[0])


def skip_gram(kind):
    """All updates at once, from the values before."""
    vectors, table = fill(WORDS, NARROW, 1, kind), fill(WORDS, NARROW, 2, kind)
    ix = torch.from_numpy((mix(PAIRS, 3) % WORDS).astype(np.int64))
    rows = torch.from_numpy((mix(PAIRS * TARGETS, 4) % WORDS).astype(np.int64))
    label = torch.zeros(PAIRS, TARGETS, dtype=kind)
    label[:, 0] = 1
    found = [None]

    def run():
        x, r = vectors[ix], table[rows].reshape(PAIRS, TARGETS, NARROW)
        f = (r @ x[:, :, None])[:, :, 0]
        g = RATE * (label - torch.sigmoid(f))
        found[0] = torch.nn.functional.binary_cross_entropy_with_logits(f, label, reduction="sum")
        vectors.index_add_(0, ix, (g[:, None, :] @ r)[:, 0])
        table.index_add_(0, rows, (g[:, :, None] * x[:, None, :]).reshape(-1, NARROW))

    return run, lambda: float(found[0])


def softmax(kind):
    x, found = SPREAD * fill(CLASSES, ITEMS, 1, kind), [None]

    def run():
        found[0] = torch.softmax(x, 0)

    return run, lambda: squares(found[0])


LOOPS = {
    "dense32": lambda: product(FEATURES, SINGLE),
    "dense64": lambda: product(FEATURES, DOUBLE),
    "narrow32": lambda: product(NARROW, SINGLE),
    "transposed32": lambda: transposed(SINGLE),
    "sparse32": lambda: sparse(SINGLE),
    "sparse64": lambda: sparse(DOUBLE),
    "skipgram32": lambda: skip_gram(SINGLE),
    "softmax64": lambda: softmax(DOUBLE),
}


def main():
    made = {}
    for line in sys.stdin:
        key = json.loads(line)["key"]
        if key not in made:
            run, found = LOOPS[key]()
            run()
            made[key] = run, found()
        run, total = made[key]
        began, n = time.perf_counter(), 0
        while n == 0 or time.perf_counter() - began < 0.05:
            run()
            n += 1
        ms = 1000 * (time.perf_counter() - began) / n
        print(json.dumps({"ms": ms, "sum": total, "version": version()}), flush=True)


main()
