"""Tests of what the package takes: python3 -m unittest, with the path of the command in the variable CADEM."""
import collections
import pathlib
import tempfile
import unittest
import warnings

import numpy

import cadem
from cadem import _inputs


class Data:
    """As PyTorch Geometric has it."""

    def __init__(self, nodes, ends=((0, 1), (1, 0)), **held):
        self.num_nodes, self.edge_index = nodes, numpy.array(ends)
        vars(self).update(held)


class Tensor:
    """As PyTorch has it."""

    def __init__(self, values):
        self.values = numpy.array(values)

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.values

    def __len__(self):
        return len(self.values)


class Series:
    """As pandas has it."""

    iloc = None

    def __init__(self, values, index):
        self.values, self.index = list(values), list(index)

    def to_numpy(self):
        return numpy.array(self.values)

    def __len__(self):
        return len(self.values)


class Frame(Series):
    """As pandas has it."""

    def __init__(self, values, index, columns):
        super().__init__(values, index)
        self.columns = list(columns)


class Graph:
    """As networkx has it."""

    class Nodes(dict):
        def __call__(self, data):
            return self.items()

    def __init__(self, nodes, links):
        self.nodes = Graph.Nodes({node: {} for node in nodes})
        self.links = links

    def edges(self, data):
        return self.links

    def is_directed(self):
        return False


def kinds():
    """Gives what makes tables, series and graphs: stand-ins, and the real ones where they are."""
    yield Frame, Series, Graph
    try:
        import networkx
        import pandas
    except ImportError:
        return

    def of(nodes, links):
        made = networkx.Graph()
        made.add_nodes_from(nodes)
        made.add_edges_from(links)
        return made

    yield pandas.DataFrame, pandas.Series, of


def written(*args, **kwargs):
    """Gives what the command would read, by its name there: arrays, and the names of the nodes."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "graph.npz")
        flags, nodes, _ = _inputs.write(path, *args, **kwargs)
        with numpy.load(path) as file:
            arrays = dict(file)
    titles = dict(map(tuple, arrays.pop("cadem_names")))
    got = {"nodes": nodes}
    for key, title in titles.items():
        if key.startswith("labels"):
            got[title] = list(arrays[key])
            continue
        got[title] = numpy.zeros(arrays[key + "_shape"])
        rows = numpy.repeat(range(len(nodes)), numpy.diff(arrays[key + "_indptr"]))
        numpy.add.at(got[title], (rows, arrays[key + "_indices"]), arrays[key + "_data"])
    if "features" in arrays:
        got["features"] = arrays["features"].tolist()
    return got


class Tests(unittest.TestCase):
    def test_names_stay(self):
        """Layers, labels and nodes are called what they were called, in results and after a stop."""
        names = [str(k) for k in range(39, -1, -1)]
        titles = ["../x/é=", "a.b, c_"]
        random = numpy.random.default_rng(0)
        layers = random.random((2, 40, 40)) < 0.2
        x, group = random.random((40, 3)), numpy.arange(40) % 2
        model = cadem.CaDeM(options={"epochs": 2, "eval_epochs": 2})
        model.fit(dict(zip(titles, layers)), x, names, {"features": group, "x.y,z": group})
        for made in (model, cadem.CaDeM.resume(model.run_)):
            self.assertEqual((made.layer_names_, made.node_names_), (titles, names))
        self.assertEqual({s["target"] for s in model.scores_}, {"features", "x.y,z"})

    def test_aligned(self):
        """What has names goes by them: in any order each node has its own links, features and labels."""
        names, places = ["a", "b", "c", "d"], [2, 0, 3, 1]
        links = numpy.array([[0, 1, 2, 0], [1, 0, 3, 0], [2, 3, 0, 4], [0, 0, 4, 0]])
        x, y = numpy.arange(8).reshape(4, 2), ["p", "q", "r", "s"]
        other = [names[k] for k in places]
        pairs = [(i, j, {"weight": int(links[names.index(i), names.index(j)])})
                 for i in other for j in other if i < j and links[names.index(i), names.index(j)]]
        for frame, series, graph in kinds():
            turned = {
                "table": frame(links[places], other, names),
                "both": frame(links[numpy.ix_(places, places)], other, other),
                "graph": graph(other, pairs),
                "array": links,
            }
            first = {"first": frame(links, names, names)}
            table = frame(numpy.array([["u"] * 4, y]).T[places], other, ["one", "y"])
            for labels in ({"y": series([y[k] for k in places], other)}, table,
                           {"y": dict(zip(other, (y[k] for k in places)))}):
                got = written({**first, **turned}, frame(x[places], other, ["f", "g"]), labels=labels)
                self.assertEqual((got["nodes"], got["features"], got["y"]), (names, x.tolist(), y))
                for name in turned:
                    numpy.testing.assert_array_equal(got[name], links, name)
            got = written([graph(other, pairs)] * 2, frame(x, names, ["f", "g"]), names=names, labels=dict(zip(names, y)))
            self.assertEqual((got["features"], got["labels"]), (x.tolist(), y))
            got = written([links], frame(x, range(4), ["nodes", "edges"]))  # which do not make a graph
            self.assertEqual((got["nodes"], got["features"]), (["0", "1", "2", "3"], x.tolist()))
            # Without names of the nodes, numbers are those of rows, as text or not.
            for numbers in (places, [float(k) for k in places], [str(k) for k in places]):
                got = written([links], frame(x[places], numbers, ["f", "g"]), labels=series([y[k] for k in places], numbers))
                self.assertEqual((got["features"], got["labels"]), (x.tolist(), y))

    def test_strange_names(self):
        """Names that are not those of the nodes are refused, and so are names that come twice."""
        names, x = ["a", "b", "c"], numpy.ones((3, 3))
        for frame, series, graph in kinds():
            first = frame(x, names, names)
            others = (["a", "b", "z"], ["a", "b"], ["a", "b", "c", "d"], ["a", "b", "b"], [0, 1, 2], ["a", "b", None])
            for other in others:
                n = len(other)
                calls = {
                    "layer": lambda: written([first, frame(numpy.ones((n, n)), other, other)]),
                    "columns": lambda: written([first, frame(numpy.ones((3, n)), names, other)]),
                    "features": lambda: written([first], frame(numpy.ones((n, 2)), other, ["f", "g"])),
                    "labels": lambda: written([first], labels=series(range(n), other)),
                    "array": lambda: written([x], labels=series(range(n), other if other[0] else [0, 0, 1])),
                    "names": lambda: written([x], names=names, labels=series(range(n), other)),
                }
                if len(set(other)) == n and None not in other:
                    calls["graph"] = lambda: written([first, graph(other, [])])
                for what, call in calls.items():
                    with self.subTest(what, other=other), self.assertRaises(cadem.Error):
                        call()
            got = written([first, graph(["c", "a"], [("a", "c", {})])], names=names)  # which says all nodes
            numpy.testing.assert_array_equal(got["layer 2"], [[0, 0, 1], [0, 0, 0], [1, 0, 0]])

    def test_labels(self):
        """None, NaN and -1 are no label; a class has one name, whatever holds it."""
        x = numpy.ones((3, 3))
        missing = float("nan")
        for given, expected in [
            ([0, 1, -1], ["0", "1", ""]), ([0.0, 1.0, missing], ["0", "1", ""]), (["u", None, "-1"], ["u", "", ""]),
            (numpy.array([0, -1, 2]), ["0", "", "2"]), (numpy.array([b"u", b"v", b""]), ["u", "v", ""]),
            (numpy.array([True, False, True]), ["True", "False", "True"]), (Tensor([0, 1, -1]), ["0", "1", ""]),
            (numpy.array([[1], [2], [0]]), ["1", "2", "0"]), ([1, 1.0, "1"], ["1", "1", "1"]),
            (numpy.ma.array([0, 1, 2], mask=[0, 0, 1]), ["0", "1", ""]), ([-1, 0, 1], ["", "0", "1"]),
        ]:
            self.assertEqual(written([x], labels=given)["labels"], expected)
        for given in ([0, 1, -2], [0.5, 1, 2], [1, -1, 1], [float("inf"), 1, 2], numpy.eye(3), [[0], [1], [2, 3]], "abc", {"u", "v", "w"},
                      {"y": "abc"}, [0, 1], 5, {0: 1, 1: 2, 3: 0}):
            with self.subTest(given), self.assertRaises((cadem.Error, TypeError)):
                written([x], labels=given)
        with self.assertWarnsRegex(UserWarning, "labels y: 'None' means no label"):
            written([x], labels={"y": ["None", "some", "many"]})
        try:
            import pandas
        except ImportError:
            return
        for given in (pandas.Categorical(["u", "v", None]), pandas.Series(["u", "v", None], dtype="category"),
                      pandas.Series(["u", "v", pandas.NA], dtype="string"), pandas.Series(["u", "v", pandas.NaT])):
            self.assertEqual(written([x], labels=given)["labels"], ["u", "v", ""])
        self.assertEqual(written([x], labels=pandas.Series([0, 1, None], dtype="Int64"))["labels"], ["0", "1", ""])

    def test_nothing_unsaid(self):
        """What data of PyTorch Geometric and graphs hold is used, refused or named in a warning."""
        x, y, ends = numpy.arange(6).reshape(3, 2), [1, 0, -1], [[0, 1, 1, 2], [1, 0, 2, 1]]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for weights in (numpy.array([2.0, 2, 3, 3]), Tensor([[2.0], [2], [3], [3]])):
                for held in ({"edge_attr": weights}, {"edge_weight": weights, "edge_attr": None}):
                    got = written([Data(3, ends, x=Tensor(x), y=Tensor(y), **held), Data(3, ends, x=x)])
                    numpy.testing.assert_array_equal(got["layer 1"], [[0, 2, 0], [2, 0, 3], [0, 3, 0]])
                    self.assertEqual((got["features"], got["y"]), (x.tolist(), ["1", "0", ""]))
            bare = collections.namedtuple("Bare", "edge_index num_nodes")
            self.assertEqual(written([bare(ends, 3)])["nodes"], ["0", "1", "2"])
            whole = written([Data(None, ends), Data(3, numpy.array(ends, float))])
            numpy.testing.assert_array_equal(whole["layer 1"], whole["layer 2"])
        for said, call in {
            "layer 1: found train_mask": lambda: written([Data(3, ends, train_mask=[True] * 3)]),
            "layer 1: found x,": lambda: written([Data(3, ends, x=x)], features=x),
            "layer 1: found y,": lambda: written([Data(3, ends, y=y)], labels=y),
            "layer 1: found edge_attr,": lambda: written([Data(3, ends, edge_weight=numpy.ones(4), edge_attr=numpy.ones(4))]),
            "layer 1: found sign,": lambda: written([Graph("ab", [("a", "b", {"sign": -1})])]),
            "links that come twice are added": lambda: written([Data(3, [[0, 0], [1, 1]])]),
        }.items():
            with self.assertWarnsRegex(UserWarning, said):
                call()
        one = numpy.ones((3, 3))
        hollow = numpy.array([[0, 1, 0], [1, 0, float("nan")], [0, 1, 0]])
        for said, call in {
            "layer 2: found another x than": lambda: written([Data(3, ends, x=x), Data(3, ends, x=x + 1)]),
            "weights of the shape": lambda: written([Data(3, ends, edge_attr=numpy.ones((4, 2)))]),
            "weights of the shape .3,": lambda: written([Data(3, ends, edge_weight=numpy.ones(3))]),
            r"edge_index of the shape \(4, 2\)": lambda: written([Data(3, numpy.array(ends).T)]),
            "found the node 0.5 in link 1": lambda: written([Data(3, [[0, 0.5], [1, 2]])]),
            "found the node -1.0 in link 0": lambda: written([Data(3, [[0, 1], [-1, 2]])]),
            "found the node 3.0 in link 1": lambda: written([Data(3, [[0, 1], [1, 3]])]),
            "found nan|found the node nan": lambda: written([Data(3, [[0, float("nan")], [1, 2]])]),
            "expected numbers": lambda: written([Data(3, [["0", "1"], ["1", "2"]])]),
            "layer 1: found no nodes": lambda: written([Data(None, ends)]),
            "3 x 3, expected 4 x 4": lambda: written([numpy.ones((4, 4)), Data(3, ends)]),
            "the weight nan from 1 to 2": lambda: written([hollow]),
            "the weight -1.0 from a to c": lambda: written([Graph("abc", [("a", "c", {"weight": -1})])]),
            r"weights: found None at \(0,\)": lambda: written([Graph("abc", [("a", "c", {"weight": None})])]),
            "the weight inf": lambda: written([Data(3, ends, edge_attr=numpy.array([1, float("inf"), 1, 1]))]),
            "found inf of node 1 in column 0": lambda: written([one], numpy.array([[1], [float("inf")], [2]])),
            r"found 'u' at \(1, 0\), expected numbers": lambda: written([one], numpy.array([[1], ["u"], [2]], object)),
            "features: found rows of several lengths": lambda: written([one], [[1], [1, 2], [1]]),
            "layers: found one Data": lambda: written(Data(3, ends)),
            "layers: found one Graph": lambda: written(Graph("ab", [])),
            "layers: found one twice, '1'": lambda: written({1: one, "1": one}),
            "layers: found ''": lambda: written({"": one}),
            "names: found": lambda: written([one], names="abc"),
        }.items():
            with self.subTest(said), self.assertRaisesRegex(cadem.Error, said):
                call()


if __name__ == "__main__":
    unittest.main()
