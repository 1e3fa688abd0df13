"""Epochs of the plain references of the methods with gradients, in PyTorch on one thread, in single precision.

    python3 epochs.py REFERENCE

REFERENCE is the folder of the references. Reads requests, one JSON object a line. {"graph": FILE} has them learn from that graph:
an NPZ archive of edges (M x 2) by layer and of features, or none. {"method": ..., "seconds": ...} is answered with how many epochs
were taken in that time, at least one, and the processor's seconds and the clock's; an epoch updates the network of every layer.
What is random in an epoch is drawn within the time.
"""
import json
import math
import sys
import time

import numpy as np
import torch

from blas import version

torch.set_num_threads(1)
sys.path.insert(0, sys.argv[1])
import common_b  # noqa: E402

DT = common_b.DT = torch.float32
torch.set_default_dtype(DT)  # for what a reference makes without naming it
import dgi  # noqa: E402
import dmg  # noqa: E402
import graphmae  # noqa: E402
import hdmi  # noqa: E402
import mvgrl  # noqa: E402
import vgae  # noqa: E402
from common_b import backward, leaf, row_normalise, sym_norm  # noqa: E402


class Graph:
    def __init__(self, name):
        z = np.load(name)
        self.A = []
        for l in range(int(z["layers"])):
            a = torch.zeros(int(z["nodes"]), int(z["nodes"]), dtype=DT)
            i, j = torch.from_numpy(z[f"edges{l}"].T.astype(np.int64))
            a[i, j] = a[j, i] = 1.0
            self.A.append(a)
        self.M = len(self.A[0])
        self.raw = torch.from_numpy(z["features"]).to(DT) if "features" in z else None
        self.X = row_normalise(self.raw)
        self.F = self.M if self.raw is None else self.raw.shape[1]

    def dense(self, x):
        return torch.eye(self.M, dtype=DT) if x is None else x


def generator():
    return torch.Generator().manual_seed(0)


def update(p, groups, loss):
    """A function that makes a step of Adam by the gradient of loss()."""
    adam = torch.optim.Adam(groups)

    def step():
        backward(loss(), p)
        adam.step()

    return step


def plain(p, loss, **options):
    return update(p, [{"params": list(p.values()), "lr": 1e-3, **options}], loss)


def of_vgae(g, a, layer):
    s = vgae.Settings()
    A = a.clone().fill_diagonal_(0.0)
    T, e = A + torch.eye(g.M, dtype=DT), int(A.sum())
    P, X = sym_norm(a, 1.0), g.dense(g.X)
    p = leaf({"W0": common_b.xavier(g.F, s.hidden, generator()), "W1": common_b.xavier(s.hidden, s.size, generator()),
              "W2": common_b.xavier(s.hidden, s.size, generator())})

    def loss():
        _, mu, ls = vgae.encode(P, X, p, s.logstd_max)
        recon, kl = vgae.dense_loss(mu + torch.randn_like(mu) * ls.exp(), mu, ls, T, e)
        return recon - kl

    return plain(p, loss)


def of_dgi(g, a, layer):
    p, P = leaf(dgi.init(g.F, 512, generator())), sym_norm(a, 1.0)
    return plain(p, lambda: dgi.loss(dgi.forward(P, g.X, torch.randperm(g.M), p)))


def of_mvgrl(g, a, layer):
    p, P = leaf(mvgrl.init(g.F, 512, generator())), sym_norm(a, 2.0)
    S = mvgrl.diffusion(a)
    return plain(p, lambda: mvgrl.loss([mvgrl.forward(P, S, g.raw, torch.randperm(g.M), p)]))


def of_graphmae(g, a, layer):
    hidden, heads = 512, 4
    hp = {"feature_dropout": 0.2, "attention_dropout": 0.1, "gamma": 3}
    nb, X = graphmae.pattern(a), g.dense(g.raw)
    links = int(nb.sum())
    p = leaf(graphmae.init(g.F, hidden, heads, generator()))

    def loss():
        U = torch.randperm(g.M)[:g.M // 2]
        token, noise = math.floor(0.95 * len(U)), math.floor(0.05 * len(U))
        d = {"U": U, "token_nodes": U[:token], "noise_nodes": U[len(U) - noise:], "noise_sources": torch.randperm(g.M)[:noise]}
        for name, i, k in (("enc0", g.F, heads), ("enc1", hidden, heads), ("dec", hidden, 1)):
            d["drop_" + name] = (torch.rand(g.M, i) >= hp["feature_dropout"]).to(DT)
            d["att_" + name] = (torch.rand(links, k) >= hp["attention_dropout"]).to(DT)
        return graphmae.forward(nb, X, d, p, hp)["loss"]

    return plain(p, loss, weight_decay=2e-4)


def of_hdmi(g):
    p, P = leaf(hdmi.init(len(g.A), g.F, 128, generator())), [sym_norm(a, 3.0) for a in g.A]
    hp = {"layer_weights": [1.0, 2.0, 0.001], "fused_weights": [0.01, 0.1, 0.001]}
    return plain(p, lambda: hdmi.forward(P, g.X, torch.randperm(g.M), p, hp)["loss"])


def of_dmg(g):
    """A step; the tenth of an epoch, as in the program that is compared."""
    hp = {"alpha": 0.02, "beta": 0.8, "lambda": 3.0, "tau": 0.5, "input_dropout": 0.1}
    P = [sym_norm(a, 3.0) for a in g.A]
    entries, lists = [torch.nonzero(a) for a in P], [dmg.neighbour_lists(a, 300) for a in g.A]
    X = [g.dense(g.X) * (torch.rand(g.F) >= 0.1).to(DT) for _ in g.A]
    p, at = leaf(dmg.init(len(g.A), g.F, 256, 8, 2, 256, 3, 256, generator())), [0, None]

    def loss():
        t = at[0]
        if t % 10 == 0:
            with torch.no_grad():
                at[1] = dmg.consensus(dmg.encode(P, X, p)[0])[0]
        at[0] = t + 1
        Y = [dmg.neighbour_target(x, n, t, 30) for x, n in zip(X, lists)]
        draw = {"drop": [(torch.rand(g.M, g.F) >= 0.1).to(DT) for _ in g.A],
                "pairs": [e[torch.randint(len(e), (max(10, len(e) // 50),))] for e in entries]}
        return dmg.forward(P, X, at[1], Y, draw, p, hp)["total"]

    critic = [v for k, v in p.items() if dmg.is_critic(k)]
    rest = [v for k, v in p.items() if not dmg.is_critic(k)]
    return update(p, [{"params": critic, "lr": 1.0, "weight_decay": 1e-4}, {"params": rest, "lr": 1e-3}], loss)


LAYERED = {"vgae": of_vgae, "dgi": of_dgi, "mvgrl": of_mvgrl, "graphmae": of_graphmae}
FUSED = {"hdmi": of_hdmi, "dmg": of_dmg}


def main():
    graph, steps, name = None, [], None
    for line in sys.stdin:
        q = json.loads(line)
        if "graph" in q:
            graph, steps, name = Graph(q["graph"]), [], None
            print(json.dumps({"version": version()}), flush=True)
            continue
        if q["method"] != name:
            name, steps = q["method"], []  # what the one before needed is dropped
            steps = [FUSED[name](graph)] if name in FUSED else [LAYERED[name](graph, a, l) for l, a in enumerate(graph.A)]
            for step in steps:
                step()
        wall, used, n = time.perf_counter(), time.process_time(), 0
        while n == 0 or time.perf_counter() - wall < q["seconds"]:
            for step in steps:
                step()
            n += 1
        print(json.dumps({"epochs": n, "processor_s": time.process_time() - used, "s": time.perf_counter() - wall}), flush=True)


main()
