"""Recomputes a contrast, a regression and a retest of a folder with NumPy and SciPy alone.

    python3 brains.py FOLDER < TABLES    compares the tables of the command, and prints how many rows of each agree
"""
import csv, glob, json, os, sys

import numpy as np
from scipy import signal, stats

folder = sys.argv[1]
people = {p["participant_id"]: p for p in csv.DictReader(open(f"{folder}/participants.tsv"), delimiter="\t")}


def series(subject, session, runs):
    """The frames of some runs, each without its line and with mean 0 and deviation 1."""
    parts = []
    for run in runs:
        for name in glob.glob(f"{folder}/{subject}/ses-{session}/func/*task-rest_run-{run}_*timeseries.tsv"):
            rows = list(csv.reader(open(name), delimiter="\t"))
            x = np.array([[np.nan if v == "n/a" else float(v) for v in row] for row in rows[1:]])
            there = ~np.isnan(x).any(0)
            x[:, there] = signal.detrend(x[:, there], axis=0)
            parts.append((x - x.mean(0)) / x.std(0))
    return rows[0], np.concatenate(parts)


def dummies(words):
    return [np.array([w == one for w in words], float) for one in sorted(set(words))[1:]]


def near(row, want, within):
    """Fails unless a row has these values: to the digits that are written, or to 1 %."""
    for name, v in want.items():
        if abs(float(row[name]) - v) > within.get(name, 0.01 * abs(v)) + 1e-12:
            sys.exit(f"{row}: {name} is {v}")


def edges(rows, subjects, question, covariates, effect, sides):
    """t of a question by least squares, p of Student's distribution, q of Benjamini and Hochberg."""
    y = []
    for s in subjects:
        names, x = series(s, 2, [1, 2])
        ends = np.triu_indices(len(names), 1)
        y.append(np.arctanh(np.corrcoef(x.T)[ends]))
    y = np.array(y)
    design = np.column_stack([question, np.ones(len(subjects))] + covariates)
    beta, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    freedom = len(subjects) - rank
    error = ((y - design @ beta) ** 2).sum(0) / freedom
    t = beta[0] / np.sqrt(error * np.linalg.inv(design.T @ design)[0, 0])
    p = 2 * stats.t.sf(abs(t), freedom)
    order, q = np.argsort(p), np.empty_like(p)
    q[order] = np.minimum.accumulate((p[order] * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1]
    place = {frozenset((names[i], names[j])): e for e, (i, j) in enumerate(zip(*ends))}
    for row in rows:
        e = place[frozenset((row["region"], row["with"]))]
        want = {"t": t[e], "p": p[e], "q": q[e], effect[0]: effect[1](t[e], freedom)}
        want.update({name: y[mask, e].mean() for name, mask in sides.items()})
        near(row, want, {"t": 0.001 * max(1, abs(t[e])), effect[0]: 0.0051, **{name: 0.00051 for name in sides}})
    return len(rows)


def groups(rows):
    subjects = [s for s in sorted(people) if people[s]["group"] != "n/a" and people[s]["age"] != "n/a"]
    first = np.array([people[s]["group"] == "control" for s in subjects])
    per = np.sqrt(1 / first.sum() + 1 / (~first).sum())
    taken = [np.array([float(people[s]["age"]) for s in subjects])] + dummies([people[s]["site"] for s in subjects])
    return edges(rows, subjects, first.astype(float), taken, ("d", lambda t, _: t * per), {"control": first, "patient": ~first})


def age(rows):
    subjects = [s for s in sorted(people) if people[s]["age"] != "n/a"]
    years, taken = np.array([float(people[s]["age"]) for s in subjects]), dummies([people[s]["sex"] for s in subjects])
    partial = lambda t, freedom: t / np.sqrt(t * t + freedom)
    return edges(rows, subjects, years, taken, ("partial r", partial), {"rest": np.ones(len(subjects), bool)})


def again(rows):
    """ICC(3,1) of Shrout and Fleiss (1979), with their interval, of the strength of regions."""
    values = []
    for s in sorted(people):
        both = [series(s, k, [1]) for k in (1, 2) if os.path.isdir(f"{folder}/{s}/ses-{k}")]
        if len(both) == 2:
            names = both[0][0]
            values.append([np.corrcoef(x.T) for _, x in both])
    values = np.array(values)  # subjects, sessions, regions, regions
    keep = ~np.isnan(values[:, :, range(len(names)), range(len(names))]).any((0, 1))
    names, values = np.array(names)[keep].tolist(), values[:, :, keep][:, :, :, keep]
    n, k = len(values), 2
    for row in rows:
        i, sign = names.index(row["region"]), 1 if row["layer"] == "co-activation" else -1
        x = np.maximum(sign * np.delete(values[:, :, i], i, 2), 0).sum(2)
        grand = x.mean()
        between = k * ((x.mean(1) - grand) ** 2).sum() / (n - 1)
        left = ((x - x.mean(1, keepdims=True) - x.mean(0) + grand) ** 2).sum() / ((n - 1) * (k - 1))
        f, a, b = between / left, n - 1, (n - 1) * (k - 1)
        bounds = f, f / stats.f.ppf(0.975, a, b), f * stats.f.ppf(0.975, b, a)
        want = {name: (v - 1) / (v + k - 1) for name, v in zip(("ICC", "low", "high"), bounds)}
        near(row, {**want, "1": x.mean(0)[0], "2": x.mean(0)[1]}, {name: 0.0051 for name in want})
    return len(rows)


tables = json.load(sys.stdin)
print(", ".join(f"{of.__name__} {of([dict(zip(tables[of.__name__][0], row)) for row in tables[of.__name__][1:]])}" for of in (groups, age, again)))
