"""Writes the pickles beside it, as networkx 1.11, 2.2 and 3.4 do, without networkx: classes that stand in for its own have the
names and the fields of these versions. Run it here: python3 networkx.py"""
import collections, pickle, struct, sys, types


def stand_in(module, name, **members):
    parts = module.split(".")
    for k in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:k]), types.ModuleType(".".join(parts[:k])))
    thing = type(name, (), dict(members, __module__=module, __qualname__=name))
    setattr(sys.modules[module], name, thing)
    return thing


classes = {name: stand_in("networkx.classes." + name.lower(), name) for name in ("Graph", "DiGraph", "MultiGraph", "MultiDiGraph")}
NodeView = stand_in("networkx.classes.reportviews", "NodeView", __slots__=("_nodes",), __getstate__=lambda v: {"_nodes": v._nodes},
                    __setstate__=lambda v, state: None)
AdjacencyView = stand_in("networkx.classes.coreviews", "AdjacencyView", __slots__=("_atlas",), __getstate__=lambda v: {"_atlas": v._atlas},
                         __setstate__=lambda v, state: None)
DegreeView = stand_in("networkx.classes.reportviews", "DegreeView", __slots__=("_graph", "_succ"))
dtype = stand_in("numpy", "dtype", __init__=lambda d, *args: None, __reduce__=lambda d: (dtype, ("f8", False, True), (3, "<", None, None, None, -1, -1, 0)),
                 __setstate__=lambda d, state: None)
float64 = dtype()


class scalar:
    """A number of NumPy."""
    def __init__(self, x):
        self.x = x

    def __reduce__(self):
        return make, (float64, struct.pack("<d", self.x))


def make(kind, data):
    return scalar(struct.unpack("<d", data)[0])


make.__module__, make.__qualname__ = "numpy.core.multiarray", "scalar"
sys.modules["numpy.core"] = types.ModuleType("numpy.core")
sys.modules["numpy.core.multiarray"] = types.ModuleType("numpy.core.multiarray")
sys.modules["numpy.core.multiarray"].scalar = make


def graph(kind, version, nodes, edges, **about):
    """A graph of a class of networkx with the fields that it has in a version."""
    directed, multi = "Di" in kind, "Multi" in kind
    node = {n: dict(a) for n, a in nodes}
    succ, pred = {n: {} for n in node}, {n: {} for n in node}
    for u, v, *rest in edges:
        key, a = rest if multi else (None, *rest)
        inner = {key: a} if multi else a
        if multi and v in succ[u]:
            succ[u][v][key] = a
            continue
        succ[u][v] = inner
        (pred if directed else succ)[v][u] = inner
    g = classes[kind]()
    if version == 1:
        g.__dict__.update(node_dict_factory=dict, adjlist_dict_factory=dict, edge_attr_dict_factory=dict, graph=about, node=node, adj=succ, edge=succ)
        if directed:
            g.__dict__.update(pred=pred, succ=succ)
        return g
    g.__dict__.update(graph=about, _node=node, _adj=succ)
    if directed:
        g.__dict__.update(_succ=succ, _pred=pred)
    view = NodeView()
    view._nodes = node
    g.__dict__["nodes"] = view
    if version == 2:
        g.__dict__.update(node_dict_factory=dict, adjlist_outer_dict_factory=dict, adjlist_inner_dict_factory=dict, edge_attr_dict_factory=dict,
                          root_graph=g)
    else:
        adjacency, degree = AdjacencyView(), DegreeView()
        adjacency._atlas, degree._graph, degree._succ = succ, g, succ
        g.__dict__.update(adj=adjacency, degree=degree, __networkx_cache__={})
    return g


def write(name, x, protocol):
    with open(name, "wb") as f:
        pickle.dump(x, f, protocol=protocol)


people = [("Ana, A.", {"age": 41, "club": "chess"}), ("Bo", {"age": 39, "club": "go\nand chess"}), ("Cy", {"age": None, "club": "go"})]
write("digraph1.pkl", graph("DiGraph", 1, [(0, {}), (1, {}), (10, {})], [(0, 1, {"weight": 0.5}), (1, 0, {"weight": 2.0}), (10, 1, {"weight": 3}),
                                                                         (10, 10, {})]), 2)
write("multigraph2.pkl", graph("MultiGraph", 2, people, [("Ana, A.", "Bo", 0, {"kind": "mail"}), ("Ana, A.", "Bo", 1, {"kind": "call", "sure": True}),
                                                         ("Cy", "Bo", 0, {"kind": "mail", "place": (1, 2)})]), 3)
write("multidigraph3.pkl", graph("MultiDiGraph", 3, people, [("Ana, A.", "Bo", "x", {}), ("Bo", "Ana, A.", "x", {"weight": scalar(0.1)})]), 4)
write("layers3.pkl", collections.OrderedDict(
    work=graph("Graph", 3, people, [("Ana, A.", "Bo", {"weight": 2, "since": 1e-7}), ("Bo", "Cy", {"weight": 1.5})], name="work"),
    lunch=graph("Graph", 3, people[1:] + [("Di", {"club": "bridge"})], [("Di", "Cy", {}), ("Bo", "Di", {"weight": 1e10})])), 5)
write("tuples.pkl", graph("Graph", 3, [((0, 0), {}), ((0, 1), {})], [((0, 0), (0, 1), {})]), 4)
write("mixed.pkl", graph("Graph", 3, [(1, {}), ("1", {})], [(1, "1", {})]), 4)
