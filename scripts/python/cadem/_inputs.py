"""Makes the file that the command reads of what people hold: arrays, sparse matrices, graphs, tables."""
import numpy

from ._command import Error


def write(path, layers, features=None, names=None, labels=None):
    """Writes an NPZ file and returns the flags that say what is what, and the names of the nodes."""
    if not isinstance(layers, dict):
        layers = {f"layer {k}": layer for k, layer in enumerate(layers, 1)}
    if not layers:
        raise Error("layers: found none, expected at least one")
    arrays, keys, size, order = {}, [], None, names
    for name, layer in layers.items():
        index = _index(layer)
        if order is None and index is not None:
            order = index
        data, columns, starts, shape = _rows(name, layer, order)
        if size is None:
            size = shape[0]
        if shape != (size, size):
            raise Error(f"layer {name}: found {shape[0]} x {shape[1]}, expected {size} x {size}")
        key = _key(name)
        if key in keys:
            raise Error(f"layers: found two that are called {key}, expected a name for each")
        keys.append(key)
        for part, value in (("data", data), ("indices", columns), ("indptr", starts), ("shape", numpy.array(shape))):
            arrays[f"{key}_{part}"] = value
    flags = ["-layers", ",".join(keys), "-features", "none", "-labels", "none"]
    if features is not None:
        if order is None:
            order = _index(features)
        x = _dense(features)
        if x.ndim != 2 or x.shape[0] != size:
            raise Error(f"features: found the shape {x.shape}, expected a matrix with {size} rows, one a node")
        arrays["features"], flags[3] = x, "features"
    if order is not None:
        if len(order) != size:
            raise Error(f"names: found {len(order)}, expected {size}, one a node")
        order = [str(name) for name in order]
        if len(set(order)) < size:
            raise Error("names: found one twice, expected another for each node")
        if not all(name.isdecimal() for name in order):  # the command takes numbers for those of rows
            arrays["nodes"] = numpy.array(order)
    if labels is not None:
        sets = labels if isinstance(labels, dict) else {"labels": labels}
        for name, values in sets.items():
            if len(values) != size:
                raise Error(f"labels {name}: found {len(values)}, expected {size}, one a node")
            arrays[_key(name)] = numpy.array(["" if v is None or v != v else str(v) for v in values])
        flags[5] = ",".join(_key(name) for name in sets) or "none"
    numpy.savez(path, **arrays)
    return flags, order or [str(k) for k in range(size)]


def _key(name):
    return str(name).translate(str.maketrans(",/\\", "___"))


def _index(table):
    """Returns the names that a graph of networkx, or a table of pandas, has for its rows."""
    if hasattr(table, "nodes") and hasattr(table, "edges"):
        return list(table.nodes)
    if hasattr(table, "iloc"):
        return list(table.index)
    return None


def _dense(x):
    if hasattr(x, "toarray"):
        x = x.toarray()
    elif hasattr(x, "detach"):
        x = x.detach().cpu().numpy()
    elif hasattr(x, "to_numpy"):
        x = x.to_numpy()
    x = numpy.asarray(x)
    if x.dtype.kind not in "biuf":
        raise Error(f"found an array of {x.dtype}, expected numbers")
    return x.astype(float)


def _rows(name, layer, order):
    """Returns a layer as rows of links: values, columns, where each row begins, and the shape."""
    if hasattr(layer, "nodes") and hasattr(layer, "edges"):  # networkx
        at = {node: k for k, node in enumerate(order)}
        pairs = [(at.get(i), at.get(j), d.get("weight", 1)) for i, j, d in layer.edges(data=True)]
        if any(i is None or j is None for i, j, _ in pairs):
            raise Error(f"layer {name}: found a node that is not among the names, expected the same nodes in every layer")
        i, j, w = (numpy.array(part) for part in zip(*pairs)) if pairs else (numpy.zeros(0, int),) * 3
        if not layer.is_directed():
            loops = i == j
            i, j, w = numpy.r_[i, j[~loops]], numpy.r_[j, i[~loops]], numpy.r_[w, w[~loops]]
        return _compressed(i, j, w, (len(at), len(at)))
    if hasattr(layer, "edge_index"):  # PyTorch Geometric
        i, j = (numpy.asarray(part) for part in layer.edge_index)
        weight = getattr(layer, "edge_weight", None)
        return _compressed(i, j, numpy.ones(len(i)) if weight is None else numpy.asarray(weight), (int(layer.num_nodes),) * 2)
    if hasattr(layer, "tocoo"):  # SciPy
        layer = layer.tocoo()
        return _compressed(layer.row, layer.col, layer.data, layer.shape)
    if hasattr(layer, "iloc") and order is not None and set(order) == set(layer.index) == set(layer.columns):
        layer = layer.loc[list(order), list(order)]  # a table has its nodes in an order of its own
    x = _dense(layer)
    if x.ndim != 2:
        raise Error(f"layer {name}: found the shape {x.shape}, expected a square matrix")
    i, j = numpy.nonzero(x)
    return _compressed(i, j, x[i, j], x.shape)


def _compressed(i, j, w, shape):
    order = numpy.lexsort((j, i))
    i, j, w = i[order].astype(numpy.int64), j[order].astype(numpy.int64), w[order].astype(float)
    return w, j, numpy.concatenate([[0], numpy.cumsum(numpy.bincount(i, minlength=shape[0]))]).astype(numpy.int64), tuple(int(n) for n in shape)
