"""Makes the file that the command reads of what people hold: arrays, matrices, graphs, tables.

What has names for its rows, as graphs and tables have, goes by them; arrays go by position.
"""
import numbers
import types
import warnings
from collections.abc import Mapping

import numpy

from ._command import Error

# Of data of PyTorch Geometric.
_USED = {"edge_index", "edge_weight", "edge_attr", "edge_type", "num_nodes", "x", "y"}

# Words that the command takes for no label.
_NONE = {"", "na", "n/a", "nan", "null", "none", "?"}


def write(path, layers, features=None, names=None, labels=None, splits=None):
    """Writes an NPZ file and returns flags that say what is what, and the nodes by name and as given."""
    layers = _layers(layers)
    if labels is None and getattr(features, "ndim", 2) == 1:  # y, where scikit-learn puts it
        features, labels = None, features
    indices = [_index(where, layer) for where, layer in layers.items()]
    order = next((index for index in indices if index is not None), None)
    called = next((list(rows) for rows in map(_raw, layers.values()) if rows is not None), None)
    sizes = [_size(layer) for layer, index in zip(layers.values(), indices) if index is None]
    size = next((n for n in sizes if n is not None), None)
    if names is not None:
        order, called = _unique("names", names), list(names)
        if isinstance(names, str) or size not in (None, len(order)):
            raise _wrong("names", len(order), f"{size or 'a list'}, one a node")
    if not order and not size:
        raise _wrong(next(iter(layers)), "no nodes", "a layer, or num_nodes of its edge_index")
    nodes = order or [str(k) for k in range(size)]
    shape = numpy.array([len(nodes)] * 2)
    arrays, titles = {}, []
    for k, ((where, layer), index) in enumerate(zip(layers.items(), indices), 1):
        i, j, w = _links(where, layer, index, nodes, names is not None)
        starts = numpy.searchsorted(i, range(len(nodes) + 1))
        for part, value in {"data": w, "indices": j, "indptr": starts, "shape": shape}.items():
            arrays[f"layer_{k}_{part}"] = value
        titles.append((f"layer_{k}", where.removeprefix("layer ")))
    flags = ["-layers", ",".join(dict(titles)), "-features", "none", "-labels", "none"]
    features, labels = _held(layers, features, labels)
    if features is not None:
        x, index = _array("features", features), _index("features", features)
        if x.ndim != 2 or index is None and len(x) != len(nodes):
            raise _wrong("features", f"the shape {x.shape}", f"{len(nodes)} rows, one a node")
        flags[3], arrays["features"] = "features", (x := x if index is None else x[_rows("features", index, nodes)])
        for i, j in numpy.argwhere(~numpy.isfinite(x))[:1]:
            found = f"{x[i, j]} of node {nodes[i]} in column {j}"
            raise _wrong("features", found, "finite numbers")
    sets = {} if labels is None else _labels(labels, nodes)
    keys = [f"labels_{k}" for k in range(1, len(sets) + 1)]
    arrays.update(zip(keys, map(numpy.array, sets.values())))
    arrays["cadem_names"] = numpy.array(titles + list(zip(keys, sets)))
    if order is not None:
        arrays["cadem_nodes"] = numpy.array(order)
    for part, held in (splits or {}).items():
        index, held = _index(f"split {part}", held), numpy.asarray(_plain(held))
        arrays[part] = held if index is None else held[_rows(f"split {part}", index, nodes)]
    numpy.savez(path, **arrays)
    flags[5] = ",".join(keys) or "none"
    flags += ["-splits", ",".join(splits)] if splits else []
    return flags, nodes, called or list(range(len(nodes)))


def _wrong(where, found, expected):
    return Error(f"{where}: found {found}, expected {expected}")


def _say(text):
    warnings.warn(text, stacklevel=2)


def _unused(where, names):
    if names:
        _say(f"{where}: found {', '.join(sorted(map(str, names)))}, which is not used")


def _layers(layers):
    """Returns the layers by what errors call them."""
    layers = _parts(layers)
    for kind in ("edge_index", "edges", "edge_types", "tocoo", "iloc"):
        if hasattr(layers, kind):
            raise _wrong("layers", f"one {type(layers).__name__}", "a list or dictionary of layers")
    if not isinstance(layers, Mapping):
        layers = {f"layer {k}": layer for k, layer in enumerate(layers, 1)}
    if not layers:
        raise _wrong("layers", "none", "at least one")
    return {f"layer {name}": x for name, x in zip(_unique("layers", layers), layers.values())}


def _parts(whole):
    """Returns the layers of a graph that has several, by name; anything else as it is."""
    def of(edges, nodes, at=slice(None)):
        layer = types.SimpleNamespace(edge_index=numpy.asarray(_plain(edges.edge_index))[:, at])
        for key in ("edge_weight", "edge_attr"):
            if getattr(edges, key, None) is not None:
                setattr(layer, key, numpy.asarray(_plain(getattr(edges, key)))[at])
        vars(layer).update((key, getattr(nodes, key, None)) for key in ("num_nodes", "x", "y"))
        return layer

    if hasattr(whole, "edge_types"):  # HeteroData
        kinds = {a for a, _, b in whole.edge_types if a == b}
        if len(kinds) != 1:
            said = ", ".join(map("-".join, whole.edge_types))
            raise _wrong("layers", f"relations {said}", "some among nodes of one kind")
        _unused("layers", ["-".join(of) for of in whole.edge_types if of[0] != of[2]])
        return {name: of(whole[a, name, b], whole[a]) for a, name, b in whole.edge_types if a == b}
    if getattr(whole, "edge_type", None) is not None:  # Data with a relation for each edge
        relations = numpy.asarray(_plain(whole.edge_type)).ravel()
        return {name: of(whole, whole, relations == name) for name in numpy.unique(relations)}
    if not (_graph(whole) and hasattr(whole, "is_multigraph") and whole.is_multigraph()):
        return whole
    layers = {}
    for i, j, key, held in whole.edges(keys=True, data=True):
        name = held.get("layer", key)
        if name is key and isinstance(key, int):
            found = f"the edge {i!r}, {j!r} of no layer"
            raise _wrong("layers", found, "an attribute layer, or it as key")
        if name not in layers:
            layers[name] = whole.__class__()
            layers[name].add_nodes_from(whole.nodes)
        layers[name].add_edge(i, j, **{what: x for what, x in held.items() if what != "layer"})
    return layers


def _held(layers, features, labels):
    """Returns features and labels, or those of data of PyTorch Geometric; says what is not used."""
    held = {where: layer for where, layer in layers.items() if hasattr(layer, "edge_index")}
    for where, layer in held.items():
        keys = getattr(layer, "keys", getattr(layer, "__dict__", ()))
        keys = keys() if callable(keys) else keys
        keys = {key for key in keys if getattr(layer, key, None) is not None}
        weighted = getattr(layer, "edge_weight", None) is not None
        _unused(where, keys - (_USED - {"edge_attr"} if weighted else _USED))

    def of(what, given):
        found = {where: getattr(layer, what, None) for where, layer in held.items()}
        found = {where: x for where, x in found.items() if x is not None}
        for where, x in found.items():
            if given is not None:
                _unused(where, [what])
            elif not numpy.array_equal(_plain(x), _plain(found[first := next(iter(found))])):
                raise _wrong(where, f"another {what} than in {first}", "the same in all")
        return found[first] if found and given is None else given

    x, y = of("x", features), of("y", labels)
    return x, y if labels is not None or y is None else {"y": y}


def _text(v):
    """Returns a name or a class as text: the same for 1, 1.0 and "1"."""
    if isinstance(v, bytes):
        return v.decode()
    whole = isinstance(v, numbers.Real) and not isinstance(v, bool) and float(v).is_integer()
    return str(int(v)) if whole else str(v)


def _missing(v):
    try:
        return v is None or v is numpy.ma.masked or bool(v != v)
    except (TypeError, ValueError):  # NA of pandas, or several values
        return not hasattr(v, "__len__")


def _unique(where, names):
    """Returns names as text."""
    texts = {}
    for name in names:
        text = _text(name)
        if text in texts:
            raise _wrong(where, f"one twice, {text!r}", "another for each node or layer")
        if _missing(name) or not text:
            raise _wrong(where, repr(name), "a name for each")
        texts[text] = True
    return list(texts)


def _graph(x):
    return hasattr(x, "nodes") and hasattr(x, "edges") and not hasattr(x, "iloc")


def _raw(x):
    """Returns what a graph of networkx, a table or a dictionary calls its rows."""
    if _graph(x):
        return x.nodes
    return x.index if hasattr(x, "iloc") else x if isinstance(x, Mapping) else None


def _index(where, x):
    """Returns that as text."""
    rows = _raw(x)
    return None if rows is None else _unique(where, rows)


def _rows(where, index, nodes, partial=False):
    """Returns the row of each node; partial lets nodes have none."""
    at, known = {name: k for k, name in enumerate(index)}, set(nodes)
    for name in index:
        if name not in known:
            raise _wrong(where, f"{name!r}, which is no node",
                         f"names such as {nodes[0]!r}, or an array, which goes by position")
    for name in nodes:
        if name not in at and not partial:
            raise _wrong(where, f"nothing of the node {name!r}",
                         "the same nodes in all; names= lists more than a graph has")
    return [at.get(name, -1) for name in nodes]


def _plain(x):
    """Returns the array of what holds one."""
    if hasattr(x, "toarray"):
        return x.toarray()
    if hasattr(x, "detach"):
        return x.detach().cpu().numpy()
    return x.to_numpy() if hasattr(x, "to_numpy") else x


def _array(where, x):
    x = _plain(x)
    try:
        x = numpy.asanyarray(x)
    except ValueError:
        raise _wrong(where, "rows of several lengths", "a matrix") from None
    if x.dtype.kind == "O":
        for at, v in numpy.ndenumerate(x):
            if not isinstance(v, (numbers.Real, numpy.bool_)):
                raise _wrong(where, f"{v!r} at {at}", "numbers")
    elif x.dtype.kind not in "biuf":
        raise _wrong(where, f"an array of {x.dtype}", "numbers")
    return numpy.asarray(numpy.ma.filled(x.astype(float), numpy.nan))


def _size(layer):
    """Returns how many nodes a layer without names has; None if it does not say."""
    if hasattr(layer, "edge_index"):
        n = getattr(layer, "num_nodes", None)
        return n if n is None else int(n)
    shape = getattr(layer, "shape", None)
    return shape[0] if shape else len(layer) if hasattr(layer, "__len__") else None


def _links(where, layer, index, nodes, partial):
    """Returns the links of a layer in order: from where, to where, and weights."""
    n = len(nodes)
    shape = (n, n)
    if _graph(layer):  # networkx
        _rows(where, index, nodes, partial)
        place = {name: k for k, name in enumerate(nodes)}
        at = {node: place[name] for node, name in zip(layer.nodes, index)}
        edges = list(layer.edges(data=True))
        i, j = numpy.array([(at[i], at[j]) for i, j, _ in edges], int).reshape(-1, 2).T
        w = numpy.array([d.get("weight", 1) for *_, d in edges], object)
        held = [d for *_, d in edges] + [d for _, d in layer.nodes(data=True)]
        _unused(where, {key for d in held for key in d} - {"weight"})
        if not layer.is_directed():
            loops = i == j
            i, j, w = numpy.r_[i, j[~loops]], numpy.r_[j, i[~loops]], numpy.r_[w, w[~loops]]
    elif hasattr(layer, "edge_index"):  # PyTorch Geometric
        ends, shape = _array(f"{where}: edge_index", layer.edge_index), (_size(layer) or n,) * 2
        if ends.ndim != 2 or len(ends) != 2:
            raise _wrong(where, f"edge_index of the shape {ends.shape}", "(2, links)")
        i, j = ends
        held = (getattr(layer, key, None) for key in ("edge_weight", "edge_attr"))
        w = numpy.array(_plain(next((w for w in held if w is not None), numpy.ones(len(i)))))
        if w.shape not in ((len(i),), (len(i), 1)):
            raise _wrong(where, f"weights of the shape {w.shape}", f"{len(i)}, one a link")
        w = w.ravel()
    elif hasattr(layer, "tocoo"):  # SciPy
        layer = layer.tocoo()
        i, j, w, shape = layer.row, layer.col, layer.data, layer.shape
    else:
        x = _array(where, layer)
        if x.ndim != 2:
            raise _wrong(where, f"the shape {x.shape}", "a square matrix")
        if index is not None:
            across = f"{where}: columns"
            columns = _rows(across, _unique(across, layer.columns), nodes)
            x = x[numpy.ix_(_rows(where, index, nodes), columns)]
        i, j = numpy.nonzero(x)
        w, shape = x[i, j], x.shape
    if shape != (n, n):
        raise _wrong(where, f"{shape[0]} x {shape[1]}", f"{n} x {n}")
    w = _array(f"{where}: weights", w)
    for end in (i, j):
        for k in numpy.flatnonzero(~((end >= 0) & (end < n) & (end % 1 == 0)))[:1]:
            raise _wrong(where, f"the node {end[k]} in link {k}", f"0 to {n - 1}")
    i, j = i.astype(numpy.int64), j.astype(numpy.int64)
    for k in numpy.flatnonzero(~(numpy.isfinite(w) & (w >= 0)))[:1]:
        raise _wrong(where, f"the weight {w[k]} from {nodes[i[k]]} to {nodes[j[k]]}",
                     "0 or a finite number above")
    order = numpy.lexsort((j, i))
    i, j, w = i[order], j[order], w[order]
    if numpy.any((numpy.diff(i) == 0) & (numpy.diff(j) == 0)):
        _say(f"{where}: weights of links that come twice are added")
    return i, j, w


def _several(v):
    return hasattr(v, "__len__") and not isinstance(v, (str, bytes))


def _labels(labels, nodes):
    """Returns the classes of the nodes as text, "" for none, by the name of each set."""
    sets = {"labels": labels}
    if hasattr(labels, "iloc") and hasattr(labels, "columns"):
        index = _index("labels", labels)
        sets = {name: dict(zip(index, column))
                for name, column in zip(_unique("labels", labels.columns), _plain(labels).T)}
    elif isinstance(labels, Mapping) and all(map(_several, labels.values())):
        sets = labels
    return {name: _classes(f"labels {name}", values, nodes)
            for name, values in zip(_unique("labels", sets), sets.values())}


def _classes(where, values, nodes):
    index = _index(where, values)
    values = list(values.values()) if isinstance(values, Mapping) else _plain(values)
    shape = getattr(values, "shape", None) or (len(values),)
    if isinstance(values, (str, bytes, set)) or len(shape) != 1 and shape[1:] != (1,):
        raise _wrong(where, f"{type(values).__name__} of the shape {shape}", "one class a node")
    values = list(values) if len(shape) == 1 else [v for v, in values]
    if index is not None:
        values = [values[k] for k in _rows(where, index, nodes)]
    if len(values) != len(nodes):
        raise _wrong(where, len(values), f"{len(nodes)}, one a node")
    words = ["" if _missing(v) else _text(v) for v in values]
    for node, v, word in zip(nodes, values, words):
        whole = not isinstance(v, numbers.Number) or float(v).is_integer() and v >= -1
        if word and (_several(v) or not whole):
            raise _wrong(where, f"{v} of node {node}", "words or whole numbers, -1 for none")
    if set(words) - {""} == {"-1", "1"}:
        raise _wrong(where, "the classes -1 and 1", "other names of them: -1 means no label")
    said = {word for word in words if word and word.strip().lower() in _NONE}
    if said:
        _say(f"{where}: {', '.join(sorted(map(repr, said)))} means no label")
    return ["" if word == "-1" else word for word in words]
