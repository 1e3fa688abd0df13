"""Tests of the package: python3 -m unittest, with the path of the command in the variable CADEM."""
import base64
import contextlib
import html
import io
import os
import pathlib
import signal
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock
import urllib.error
import urllib.request

import numpy

import cadem


def graph(size=40, layers=2):
    random = numpy.random.default_rng(0)
    group = numpy.arange(size) % 2
    near = group[:, None] == group
    upper = [numpy.triu(random.random((size, size)) < numpy.where(near, 0.5, 0.1), 1) for _ in range(layers)]
    return [a | a.T for a in upper], random.random((size, 3)), group


class Data:
    """As PyTorch Geometric has it."""

    def __init__(self, nodes, ends=((0, 1), (1, 0))):
        self.num_nodes, self.edge_index = nodes, numpy.array(ends)


class Tests(unittest.TestCase):
    def setUp(self):
        self.layers, self.features, self.group = graph()
        self.brief = {"epochs": 2}

    def test_fit(self):
        names = [f"n{k}" for k in range(40)]
        model = cadem.CaDeM(options={**self.brief, "eval_epochs": 2})
        got = model.fit_transform(dict(zip(["work", "a,b"], self.layers)), self.features, names, {"group": self.group})
        self.assertEqual(got.shape, (40, 8))
        self.assertEqual([p.shape for p in model.private_], [(40, 8)] * 2)
        self.assertEqual((model.layer_names_, model.node_names_), (["work", "a,b"], names))
        self.assertEqual({s["target"] for s in model.scores_}, {"group"})
        again = cadem.CaDeM().set_params(**model.get_params()).fit(self.layers, self.features, labels=self.group)
        numpy.testing.assert_array_equal(again.embedding_, got)
        numpy.testing.assert_array_equal(cadem.CaDeM.resume(model.run_).embedding_, got)

    def test_numbers_are_names(self):
        """Nodes that are called by other numbers stay in their rows, features and labels with them."""
        plain = cadem.CaDeM(options=self.brief).fit(self.layers, self.features, labels=self.group)
        turned = cadem.CaDeM(options=self.brief).fit(self.layers, self.features, list(range(39, -1, -1)), self.group)
        numpy.testing.assert_array_equal(plain.embedding_, turned.embedding_)
        self.assertEqual(turned.node_names_[0], "39")
        self.assertEqual(plain.scores_, turned.scores_)

    def test_graphs_of_others(self):
        plain = cadem.CaDeM(options=self.brief).fit(self.layers)
        others = []
        try:
            import networkx

            others.append([networkx.from_numpy_array(a.astype(int)) for a in self.layers])
        except ImportError:
            pass
        try:
            import scipy.sparse

            others.append([scipy.sparse.csc_matrix(a) for a in self.layers])
        except ImportError:
            pass

        others.append([Data(40, numpy.nonzero(a)) for a in self.layers])
        for layers in others:
            numpy.testing.assert_array_equal(cadem.CaDeM(options=self.brief).fit(layers).embedding_, plain.embedding_)

    def test_several_layers_in_one(self):
        """A multigraph, relations of HeteroData and the types of edges of Data are layers; relations with nodes of another kind are named."""
        ends = [numpy.array(numpy.nonzero(a)) for a in self.layers]
        plain = cadem.CaDeM(options=self.brief).fit(dict(zip(("work", "lunch"), self.layers)), self.features)

        class Hetero(dict):
            edge_types = [("person", "work", "person"), ("person", "reads", "book"), ("person", "lunch", "person")]

        held = types.SimpleNamespace(num_nodes=40, x=self.features)
        hetero = Hetero(person=held)
        for (_, name, _), at in zip((Hetero.edge_types[0], Hetero.edge_types[2]), ends):
            hetero["person", name, "person"] = types.SimpleNamespace(edge_index=at)
        data = types.SimpleNamespace(num_nodes=40, edge_index=numpy.hstack(ends), edge_type=numpy.repeat([0, 1], [e.shape[1] for e in ends]), x=self.features)
        with self.assertWarnsRegex(UserWarning, "person-reads-book, which is not used"):
            many = [cadem.CaDeM(options=self.brief).fit(hetero), cadem.CaDeM(options=self.brief).fit(data)]
        Hetero.edge_types = [("person", "reads", "book")]
        with self.assertRaisesRegex(ValueError, "relations person-reads-book, expected some among nodes of one kind"):
            cadem.CaDeM().fit(hetero)
        try:
            import networkx

            whole = networkx.MultiGraph()
            whole.add_nodes_from(range(40))
            whole.add_edges_from((int(i), int(j), {"layer": name}) for name, (a, b) in zip(("work", "lunch"), ends) for i, j in zip(a, b) if i < j)
            many.append(cadem.CaDeM(options=self.brief).fit(whole, self.features))
            self.assertEqual(many[-1].layer_names_, ["work", "lunch"])
            whole.add_edge(0, 1)
            with self.assertRaisesRegex(ValueError, "the edge 0, 1 of no layer"):
                cadem.CaDeM().fit(whole)
        except ImportError:
            print("networkx is not there: no multigraph is tested")
        for model in many:
            numpy.testing.assert_array_equal(model.embedding_, plain.embedding_)

    def test_scikit_learn(self):
        """What scikit-learn asks of estimators holds, but for what fits tables of samples; y and tables of pandas are as there."""
        try:
            import pandas
            import sklearn.base
            import sklearn.pipeline
            import sklearn.preprocessing
            import sklearn.utils.estimator_checks as checks
        except ImportError:
            self.skipTest("scikit-learn or pandas is not there")
        model = cadem.CaDeM(options=self.brief)
        with self.assertWarnsRegex(UserWarning, "requires input +of type .'layers'"):
            checks.check_estimator(model)
        for check in (checks.check_no_attributes_set_in_init, checks.check_get_params_invariance, checks.check_set_params,
                      checks.check_estimators_unfitted, checks.check_transformers_unfitted, checks.check_fit1d, checks.check_nonsquare_error):
            check("CaDeM", sklearn.base.clone(model))
        line = sklearn.pipeline.make_pipeline(model, sklearn.preprocessing.StandardScaler())
        self.assertEqual(line.fit_transform(self.layers, self.group).shape, (40, 8))
        self.assertEqual(len(model.scores_) > 0, True)
        names = [f"n{k}" for k in range(40, 0, -1)]
        table = sklearn.base.clone(model).set_output(transform="pandas").fit_transform([pandas.DataFrame(a, names, names) for a in self.layers])
        self.assertEqual((list(table.index), table.shape, table.columns[7]), (names, (40, 8), "cadem7"))

    def test_questions(self):
        """Shares of an explanation add up to the place; new nodes, splits and studies are the command's."""
        model = cadem.CaDeM(options={**self.brief, "eval_epochs": 2}).fit(self.layers, self.features, labels=self.group)
        said = model.explain(3)
        self.assertAlmostEqual(sum(t["share"] for t in said["terms"]) + sum(said[k] for k in ("rest", "bias", "mean", "left")), 1)
        numpy.testing.assert_allclose(said["place"], model.embedding_[3], atol=1e-5)
        with self.assertRaisesRegex(ValueError, "no node 40, expected a node such as 0"):
            model.explain(40)
        more = [numpy.pad(a, (0, 1)) for a in self.layers]
        more[0][40, :5] = more[0][:5, 40] = True
        new, = model.apply(more, numpy.vstack([self.features, self.features[:1]]))
        self.assertEqual((new["node"], new["links"], set(new["classes"])), ("40", 5, {"labels"}))
        of = numpy.arange(40)
        own = cadem.CaDeM(options={**self.brief, "eval_epochs": 2}).fit(
            self.layers, labels=self.group, splits={"train": of < 20, "val": (of >= 20) & (of < 30), "test": of >= 30})
        self.assertEqual((len(own.scores_[0]["folds"]), len(model.scores_[0]["folds"])), (1, 5))
        self.assertEqual(cadem.evidence(self.layers, set="permutations=19")["study"], "evidence")
        self.assertEqual(cadem.tune(self.layers, labels=self.group, methods="pca", trials=2, seeds=1)["study"], "tune")

    def test_html(self):
        """The page of a notebook has the run and the module in it, and says what is missing."""
        model = cadem.CaDeM(options=self.brief).fit(self.layers)
        patch = unittest.mock.patch.dict
        with tempfile.TemporaryDirectory() as site, patch(os.environ, CADEM_SITE=site), patch(sys.modules, ipykernel=None):
            for name in ("cadem.js", "worker.1.js", "wasm_exec.1.js", "whole.1.wasm.gz"):
                (pathlib.Path(site) / name).write_text(name)
            page, shown = model.html(), model.show()._repr_html_()
            for data in (b"worker.1.js", pathlib.Path(model.run_).read_bytes()):
                self.assertIn(base64.b64encode(data).decode(), page)
            self.assertEqual(html.unescape(shown.partition('srcdoc="')[2].partition('"')[0]), page)

    def test_errors(self):
        x = numpy.ones((3, 3))
        for said, call in {
            "layer layer 1: found 2 x 3, expected 2 x 2": lambda: cadem.CaDeM().fit([x[:2]]),
            "layer layer 2: found 2 x 2, expected 3 x 3": lambda: cadem.CaDeM().fit([x, x[:2, :2]]),
            "features: found the shape (2, 3)": lambda: cadem.CaDeM().fit([x, x], x[:2]),
            "names: found 2, expected 3": lambda: cadem.CaDeM().fit([x, x], names=["a", "b"]),
            "names: found one twice": lambda: cadem.CaDeM().fit([x, x], names=["a", "b", "a"]),
            "labels y: found 1, expected 3": lambda: cadem.CaDeM().fit([x, x], labels={"y": [1]}),
            "depth: found an unknown option": lambda: cadem.CaDeM(options={"depth": 3}).fit(self.layers),
            "preset": lambda: cadem.CaDeM("none").fit(self.layers),
            "depth: found an unknown parameter": lambda: cadem.CaDeM().set_params(depth=3),
            "found no run": lambda: cadem.CaDeM().show(),
            "expected at most 100000 nodes": lambda: cadem.CaDeM().fit([Data(100_001), Data(100_001)]),
            "1 node": lambda: cadem.CaDeM().fit([x[:1, :1], x[:1, :1]]),
        }.items():
            with self.subTest(said):
                with self.assertRaises(ValueError) as raised:
                    call()
                if said != "1 node":
                    self.assertIn(said, str(raised.exception))
        with self.assertRaises(FileNotFoundError):
            cadem.CaDeM(command="no such program").fit(self.layers)

    def test_interrupted(self):
        """Ctrl-C keeps the run, and the rest of it has the bits of one that was never stopped."""
        layers, features, _ = graph(600, 3)
        with tempfile.TemporaryDirectory() as folder:
            run = str(pathlib.Path(folder) / "kept.zip")
            options = {"epochs": 5000 if "CADEM_LONG" in os.environ else 100_000, "early_stop": False, "dim": 32, "hidden": 256}
            model = cadem.CaDeM(options=options, run=run)
            timer = threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            self.addCleanup(timer.cancel)
            with self.assertRaises(KeyboardInterrupt) as raised:
                model.fit(layers, features)
            self.assertEqual(raised.exception.run, run)
            self.assertTrue(os.path.exists(run))
            if "CADEM_LONG" in os.environ:
                rest = cadem.CaDeM.resume(run)
                whole = cadem.CaDeM(options=options).fit(layers, features)
                numpy.testing.assert_array_equal(rest.embedding_, whole.embedding_)

    def test_show(self):
        """The page is served with the run beside it, under a name of its own, and said where there is no browser."""
        model = cadem.CaDeM(options=self.brief).fit(self.layers)
        with tempfile.TemporaryDirectory() as site:
            (pathlib.Path(site) / "index.html").write_text("a page")
            for said in ("", "found no browser: open "):
                opened, printed = [], io.StringIO()
                with unittest.mock.patch("webbrowser.open", lambda url: opened.append(url) or not said), contextlib.redirect_stderr(printed):
                    address = model.show(site)
                self.assertEqual(opened, [address])
                self.assertEqual(printed.getvalue(), said and said + address + "\n")
                page, _, name = address.partition("?run=")
                self.assertTrue(page.startswith("http://127.0.0.1:"))
                self.assertGreaterEqual(len(name), 26)
                self.assertEqual(urllib.request.urlopen(address).read(), b"a page")
                self.assertEqual(urllib.request.urlopen(f"{page}runs/{name}.zip").read(), pathlib.Path(model.run_).read_bytes())
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(f"{page}runs/run.zip")
        with self.assertRaisesRegex(OSError, "could not be served"):
            model.show(__file__)

    def test_compare(self):
        rows = cadem.compare(self.layers, labels=self.group, methods=["cadem", "pca"], options={"eval_epochs": 2})
        self.assertEqual({row["method"] for row in rows}, {"cadem", "pca"})
        self.assertIn("cadem", {m["name"] for m in cadem.methods()})


if __name__ == "__main__":
    unittest.main()
