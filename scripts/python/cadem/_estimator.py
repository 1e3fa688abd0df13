"""An estimator by the conventions of scikit-learn, without scikit-learn."""
import contextlib
import inspect
import pathlib
import sys
import tempfile
import threading
import webbrowser

import numpy

from . import _command, _inputs, _notebook
from ._command import Error, Interrupted


class CaDeM:
    """Learns what the layers of a multiplex graph share, and what each has of its own.

    preset is "released", "refined", "printed", "evidence" or "closed"; method is another method that CaDeM is compared with, at its
    usual level. options are those of `cadem options` by name. Without a seed, the command's is taken. raw keeps features as they
    are; otherwise each row is scaled to sum to 1. run is where the run is kept, a new file in a folder for what is
    temporary if None. command is the path of the command.
    """

    def __init__(self, preset="released", *, method="cadem", options=None, seed=None, raw=False, run=None, command=None):
        self.preset = preset
        self.method = method
        self.options = options
        self.seed = seed
        self.raw = raw
        self.run = run
        self.command = command

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in list(inspect.signature(type(self).__init__).parameters)[1:]}

    def set_params(self, **params):
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise Error(f"{name}: found an unknown parameter, expected one of {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        said = [f"{name}={value!r}" for name, value in self.get_params().items() if value != inspect.signature(type(self)).parameters[name].default]
        return f"CaDeM({', '.join(said)})"

    def fit(self, layers, features=None, names=None, labels=None, splits=None):
        """Trains on M nodes, and returns itself.

        layers: matrices (M, M), graphs of networkx or data of PyTorch Geometric, in a list or a dictionary by
            name; or one multigraph whose edges have the attribute `layer` or it as key, one HeteroData with
            relations among nodes of one kind, or one Data with edge_type
        features: (M, F); an array (M,) is labels, as y of scikit-learn
        names: (M,); labels: (M,), or a dictionary of such
        splits: masks (M,) or numbers of nodes as "train", "val" and "test"
        """
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "graph.npz")
            flags, order, called = _inputs.write(path, layers, features, names, labels, splits)
            arguments = ["-data", path, *flags, "-method", self.method]
            if self.method == "cadem":
                arguments += ["-preset", str(self.preset)]
            if self.seed is not None:
                arguments += ["-seed", str(self.seed)]
            if self.raw:
                arguments.append("-raw")
            for name, value in (self.options or {}).items():
                arguments += ["-set", f"{name}={('off', 'on')[value] if isinstance(value, bool) else value}"]
            self._train(arguments)
        self.node_names_, self._called = order, called
        return self

    def fit_transform(self, layers, features=None, names=None, labels=None, splits=None):
        """Trains, and returns what the layers share, (M, d), a row for each node."""
        self.fit(layers, features, names, labels, splits)
        return self._returned(self.embedding_, self._called)

    def transform(self, layers, features=None, names=None):
        """Returns what the layers share, (M, d): of known nodes as they are, of others by their links.

        Layers go by their names. Nothing is trained: what is new embeds as if it came alone. Of the method "cadem" alone."""
        return self._returned(*self._applied(layers, features, names)[:2])

    def apply(self, layers, features=None, names=None):
        """Returns a dictionary for each new node: node, links, S (d,), classes, and from whom it comes."""
        return self._applied(layers, features, names)[2]["new"]

    def _applied(self, layers, features, names):
        self._check()
        with tempfile.TemporaryDirectory() as folder:
            path, model, out = (str(pathlib.Path(folder) / name) for name in ("graph.npz", "model.npz", "all.npz"))
            flags, order, called = _inputs.write(path, layers, features, names)
            _command.run(self.command, "train", "-resume", self.run_, "-model", model, "-json")
            flags += ["-raw"] * self.raw + ["-embeddings", out, "-json"]
            said = _command.run(self.command, "apply", model, "-data", path, *flags)
            with numpy.load(out) as file:
                rows = dict(zip((str(name) for name in file["nodes"]), file["common"]))
        return numpy.array([rows[name] for name in order]), called, said

    def explain(self, node):
        """Returns what makes a node's place in S (d,): shares that add up to 1, of terms (a node in a
        layer each), rest, bias, mean and left. Of the method "cadem" alone."""
        self._check()
        asked = ["-score", "none", "-explain", str(node), "-json"]
        return _command.run(self.command, "train", "-resume", self.run_, *asked)["explained"]

    def _more_tags(self):
        return {"X_types": ["layers"]}  # for check_estimator: no table of samples

    def set_output(self, *, transform=None):
        """Has fit_transform and transform return tables by index ("pandas"), or arrays ("default")."""
        self._output = transform or getattr(self, "_output", "default")
        return self

    def get_feature_names_out(self, input_features=None):
        """Returns the titles of such a table, (d,)."""
        return numpy.array([f"cadem{k}" for k in range(self.embedding_.shape[1])], object)

    def _returned(self, rows, called):
        if getattr(self, "_output", "default") != "pandas":
            return rows
        import pandas

        return pandas.DataFrame(rows, called, self.get_feature_names_out())

    def _check(self):
        if not hasattr(self, "run_"):
            raise Error("found no run, expected fit before this")

    @classmethod
    def resume(cls, run, command=None):
        """Goes on with a run that was stopped, to the bits that it would have had."""
        return cls(run=str(run), command=command)._train(["-resume", str(run)])

    def _train(self, arguments):
        kept = str(self.run or pathlib.Path(tempfile.mkdtemp(prefix="cadem-")) / "run.zip")
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "embeddings.npz")
            out = [] if arguments[0] == "-resume" else ["-out", kept]
            result = _command.run(self.command, "train", *arguments, *out, "-embeddings", path, "-json", kept=kept)
            with numpy.load(path) as file:
                arrays = dict(file)
        self.run_ = kept
        self.layer_names_ = [str(name) for name in arrays["layer_names"]]
        self.node_names_ = [str(name) for name in arrays["nodes"]]
        numbers = range(1, len(self.layer_names_) + 1)
        self.private_ = [arrays[f"private_{k}"] for k in numbers if f"private_{k}" in arrays]
        self.layers_ = [arrays[f"layer_{k}"] for k in numbers if f"layer_{k}" in arrays]
        whole = arrays.get("common", arrays.get("fused"))
        self.embedding_ = numpy.hstack(self.layers_) if whole is None else whole
        self.scores_, self.losses_, self.notes_, self.hash_ = result["scores"] or [], result["losses"], result["notes"], result["hash"]
        return self

    def show(self, site=None, wait=False):
        """Opens the run in the page, in the browser, and returns its address, which is printed without a browser.
        In a notebook it returns what is shown there, html() in a frame.

        The page is served on this machine alone, until Python ends; with wait, this waits for Ctrl-C. site is a folder with the page; if it
        is None, that of the variable CADEM_SITE, or the clone's, which is built when it is stale: that takes a minute once.
        """
        self._check()
        if site is None and not wait and "ipykernel" in sys.modules:
            return _notebook.Framed(self.html())
        address = _command.serve(self.run_, site)
        if not webbrowser.open(address):
            print(f"found no browser: open {address}", file=sys.stderr)
        if wait:
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()
        return address


    def html(self):
        """Returns a page of its own, 5 MB of text: all embeddings, and what makes a node's place."""
        self._check()
        return _notebook.page(self.run_, self.method != "cadem")


def compare(layers, features=None, names=None, labels=None, methods=("cadem", "pca"), **params):
    """Trains several methods on a graph, and returns their scores: a dictionary for each, with its method."""
    rows = []
    for method in methods:
        model = CaDeM(**{**params, "method": method}).fit(layers, features, names, labels)
        rows += [{"method": method, **score} for score in model.scores_]
    return rows


def study(name, layers=None, features=None, names=None, labels=None, command=None, **flags):
    """Does a study of `cadem study`, on a graph or on the data that it draws, and returns what -json prints of it, a dictionary.

    flags are those of `cadem study NAME -h` by name, with _ for -: seeds=10, methods="all", set="epochs=100"; a list gives one several times."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        if layers is not None:
            path = str(pathlib.Path(folder) / "graph.npz")
            data, *_ = _inputs.write(path, layers, features, names, labels)
            arguments = ["-data", path, *data]
        for flag, values in flags.items():
            for value in values if isinstance(values, (list, tuple)) else [values]:
                arguments += ["-" + flag.replace("_", "-")] + ([] if value is True else [str(value)])
        return _command.run(command, "study", name, *arguments, "-json")


def evidence(layers, **flags):
    """Asks whether layers share anything, by `cadem study evidence`; returns what study does."""
    return study("evidence", layers, **flags)


def tune(layers, features=None, names=None, labels=None, **flags):
    """Tries every method as often, by `cadem study tune`, and scores it in folds of its own."""
    return study("tune", layers, features, names, labels, **flags)


def methods(command=None):
    """Lists the methods, a dictionary for each."""
    return _command.run(command, "methods", "-json")["methods"]
