"""Cleans series with NumPy and SciPy alone, as the documentation of fMRIPrep's confounds and of nilearn's strategies describes it.

    python3 clean.py              writes clean.json beside it: an invented series, its confounds and what is left of it
    python3 clean.py - < CASES    prints what is left of the series in a file like that one
"""
import csv, io, json, os, sys

import numpy as np
from scipy import signal

TERMS = ["", "_derivative1", "_power2", "_derivative1_power2"]
MOTION = [a + b for a in ("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z") for b in TERMS]
TISSUE = ["csf", "white_matter"]


def wanted(name, strategy, modern):
    """Whether a strategy regresses a column out."""
    if name == "framewise_displacement" or modern and name.startswith("non_steady_state"):
        return False
    cosine = name.startswith("cosine")
    return {"auto": name in MOTION + TISSUE, "all": True,
            "simple": cosine or name in MOTION + TISSUE,
            "scrubbing": cosine or name in MOTION + [a + b for a in TISSUE for b in TERMS],
            "compcor": cosine or name in MOTION or name.startswith("a_comp_cor_"),
            "ica_aroma": cosine or name in TISSUE or name.startswith("aroma_motion_")}[strategy]


def clean(case, x, table):
    """Returns the cleaned rows of x (regions, frames). table maps names to values, nan where there are none."""
    strategy, tr = case["confounds"], case["tr"]
    frames = np.arange(x.shape[1])
    drop = np.array(case.get("marked") or np.zeros(len(frames)), bool)
    unsteady = [v for k, v in table.items() if k.startswith("non_steady_state")]
    first = 0
    if case["modern"] and unsteady and strategy != "off":
        first = 1 + max(np.flatnonzero(np.any(np.array(unsteady) > 0, 0)), default=-1)
    limits = (0.5, 1.5) if strategy == "scrubbing" else (case.get("fd"), case.get("dvars"))
    for name, most in zip(("framewise_displacement", "std_dvars"), limits):
        if most and name in table:
            drop |= np.nan_to_num(table[name]) > most
    x, drop, frames = x[:, first:], drop[first:], frames[first:]
    kept = frames[~drop]

    def band(rows):
        rows = np.array([np.interp(frames, kept, r[~drop]) for r in rows])
        if case["detrend"] == "on":
            rows = signal.detrend(rows)
        if case["filter"] == "butterworth":
            sos = signal.butter(case["order"], [case["low"], case["high"]], "bandpass", fs=1 / tr, output="sos")
            rows = signal.sosfiltfilt(sos, rows)
        elif case["filter"] == "fft":
            hz = np.fft.rfftfreq(rows.shape[1], tr)
            spectrum = np.where((hz >= case["low"]) & (hz <= case["high"]), np.fft.rfft(rows), 0)
            rows = np.fft.irfft(spectrum, rows.shape[1])
        return rows

    columns = []
    for name, v in table.items():
        if strategy != "off" and wanted(name, strategy, case["modern"]):
            if np.isnan(v[0]) and name != "std_dvars":
                v = np.concatenate([[v[1:].mean()], v[1:]])
            if not np.isnan(v[first:]).any():
                columns.append(v[first:])
    y = band(x)[:, ~drop].T
    if columns:
        columns = band(columns) if case["alike"] else np.array(columns)
        design = np.column_stack([np.ones(len(kept)), columns[:, ~drop].T])
        y = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return ((y - y.mean(0)) / y.std(0)).T


def read(text):
    """Columns of a table of tabs."""
    rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    return {k: np.array([np.nan if r[j] == "n/a" else float(r[j]) for r in rows[1:]]) for j, k in enumerate(rows[0])}


def case(**changes):
    return dict(dict(tr=2.0, detrend="on", filter="butterworth", order=5, low=0.008, high=0.08, confounds="auto", modern=False, alike=False), **changes)


def invented():
    """A series of noise that follows its confounds, and these, with three digits each."""
    r = np.random.RandomState(59)
    frames = 150
    table = {}
    for k in ("trans_x", "trans_y", "rot_z", "csf", "white_matter"):
        v = np.cumsum(r.randn(frames)) / 10 if k[0] in "tr" else r.randn(frames)
        d = np.concatenate([[np.nan], np.diff(v)])
        table.update(zip((k + t for t in TERMS), (v, d, v ** 2, d ** 2)))
    t = np.arange(frames)
    for k in range(2):
        table["cosine0%d" % k] = np.cos(np.pi * (t + 0.5) * (k + 1) / frames)
        table["a_comp_cor_0%d" % k] = r.randn(frames)
        table["aroma_motion_0%d" % k] = r.randn(frames)
    table["global_signal"] = r.randn(frames)
    x = np.array([1000 + 0.05 * i * t + np.convolve(r.randn(frames + 4), np.ones(5), "valid") + table["csf"] + 3 * table["trans_x"] for i in range(3)])
    moved = np.abs(r.randn(frames)) / 5
    moved[[0, 30, 31, 32, 80, frames - 1]] = np.nan, 0.8, 1.4, 0.6, 0.9, 0.7
    table["framewise_displacement"] = moved
    table["std_dvars"] = np.where(moved > 0.55, 1.8, 0.9)
    table["std_dvars"][[0, 90]] = np.nan, 2
    table["non_steady_state_outlier00"] = np.where(t == 1, 1, 0)
    lines = ["\t".join(table)] + ["\t".join("n/a" if np.isnan(v[k]) else "%.3f" % v[k] for v in table.values()) for k in t]
    return np.round(x, 3), "\n".join(lines) + "\n"


def write(path):
    x, text = invented()
    marked = [int(k in (0, 7, 8, 149)) for k in range(x.shape[1])]
    cases = [case(), case(confounds="off"), case(filter="fft", confounds="all"), case(modern=True, alike=True, confounds="simple", fd=0.55),
             case(modern=True, alike=True, confounds="scrubbing"), case(modern=True, alike=True, confounds="compcor", marked=marked, filter="fft"),
             case(confounds="ica_aroma", dvars=1.7, order=2, detrend="off"), case(alike=True, marked=marked, high=0.1, order=3)]
    for c in cases:
        c["want"] = clean(c, x, read(text)).round(8).tolist()
    with open(path, "w") as f:
        json.dump(dict(series=x.tolist(), confounds=text, cases=cases), f, separators=(",", ":"))
        f.write("\n")


if sys.argv[1:] == ["-"]:
    given = json.load(sys.stdin)
    series, confounds = np.array(given["series"]), read(given["confounds"])
    json.dump([clean(c, series, confounds).tolist() for c in given["cases"]], sys.stdout)
else:
    write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "clean.json"))
