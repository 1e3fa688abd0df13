"""The training step in PyTorch on one thread.

    python3 peer.py FOLDER     with problem.json and problem.bin of scripts/bench

Reads requests, one JSON object a line: {"form": ..., "check": n} is answered with the losses of the first n steps,
{"form": ..., "steps": n} with the milliseconds of a step. Forms: natural (Z W1) W2; reassociated Z (W1 W2); pooled, where
the pooled rows of Z are formed once and the private branch never visits the nodes.
"""
import json
import os
import sys
import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from blas import version

torch.set_num_threads(1)


class Run:
    def __init__(self, p, array, form):
        self.p, self.form, self.step_number = p, form, 0
        n, a = p["N"], p["augmented"]
        self.v = {name: torch.nn.Parameter(array(name).clone()) for name in p["arrays"] if "W" in name or name[0] == "b" or ".b" in name}
        self.z = [array(f"Z.{l}") for l in range(n)]
        self.pool = [array(f"pool.{l}") for l in range(n)]
        self.pooled = [self.pool[l] @ self.z[l] for l in range(n)]
        self.count = [m.sum(1, keepdim=True) for m in self.pool]
        self.noise = {e: [array(f"noise_{e}.{l}") for l in range(n)] for e in "cp"}
        self.s = array("S")
        rows = [[], []]
        for l in range(n):
            for i in range(a + 1):
                rows[int(i == a)].append(l * (a + 1) + i)
        self.rows = [torch.tensor(r) for r in rows]
        self.want = [r // (a + 1) for r in self.rows]
        self.partner = [[self.rows[g][torch.tensor(perm)] for g, perm in enumerate(step)] for step in p["pairs"]]
        heads = [self.v[k] for k in self.v if "." not in k]
        encoders = [self.v[k] for k in self.v if "." in k]
        self.adam = torch.optim.Adam([{"params": heads, "lr": p["lr_heads"]}, {"params": encoders, "lr": p["lr_encoders"]}])

    def node(self, l, e):
        v, z = self.v, self.z[l]
        w1, w2, b = v[f"l{l}.W1{e}"], v[f"l{l}.W2{e}"], v[f"l{l}.b{e}"]
        return (z @ w1) @ w2 + b if self.form == "natural" else z @ (w1 @ w2) + b

    def terms(self):
        p, v, visits = self.p, self.v, self.form != "pooled"
        matching, h = 0, {"c": [], "p": []}
        for l in range(p["N"]):
            c = self.node(l, "c")
            matching = matching + (c - self.s).square().sum()
            for e in "cp":
                if visits:
                    x = self.pool[l] @ (c if e == "c" else self.node(l, e))
                else:
                    x = self.pooled[l] @ (v[f"l{l}.W1{e}"] @ v[f"l{l}.W2{e}"]) + self.count[l] * v[f"l{l}.b{e}"]
                h[e].append(x + self.noise[e][l])
        hc, hp = torch.cat(h["c"]), torch.cat(h["p"])
        selfsupervised = causal = 0
        for g in range(2):
            own, other = hp[self.rows[g]], hc[self.partner[self.step_number % len(self.partner)][g]]
            selfsupervised = selfsupervised + cross_entropy(own @ v["Wphi"] + v["bphi"], self.want[g])
            causal = causal + cross_entropy((own + other) @ v["Wpsi"] + v["bpsi"], self.want[g])
        return [matching / p["M"], selfsupervised, causal]

    def step(self):
        t = self.terms()
        total = sum(w * x for w, x in zip(self.p["weights"], t))
        self.adam.zero_grad(set_to_none=True)
        total.backward()
        self.adam.step()
        self.step_number += 1
        return t, total


def main(folder):
    with open(os.path.join(folder, "problem.json")) as f:
        p = json.load(f)
    data = np.fromfile(os.path.join(folder, "problem.bin"), dtype="<f4")

    def array(name):
        at = p["arrays"][name]
        first = at["offset"] // 4
        return torch.from_numpy(data[first:first + int(np.prod(at["shape"]))].reshape(at["shape"]))

    runs = {}
    for line in sys.stdin:
        q = json.loads(line)
        form = q["form"]
        if form not in runs:
            runs[form] = Run(p, array, form)
        if "check" in q:
            losses = []
            for _ in range(q["check"]):
                t, total = runs[form].step()
                losses.append([float(x) for x in t] + [0.0, float(total)])  # 0: private matching, which is off
            answer = {"losses": losses, "version": version()}
        else:
            began = time.perf_counter()
            for _ in range(q["steps"]):
                runs[form].step()
            answer = {"ms": 1000 * (time.perf_counter() - began) / q["steps"]}
        print(json.dumps(answer), flush=True)


main(sys.argv[1])
