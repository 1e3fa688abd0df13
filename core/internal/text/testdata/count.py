"""Counts the nodes and links of a file as networkx reads it, or Infomap's as its documentation describes them.

    python3 count.py FILE prints a line with the number of nodes, and one for each layer: its name, links and the sum of their weights.
"""
import sys

import networkx

name = sys.argv[1]
nodes, layers = set(), {}


def add(layer, weight):
    links, total = layers.get(layer, (0, 0))
    layers[layer] = links + 1, total + float(weight)


if name.endswith(".gexf"):
    # Version 2.8.8 knows GEXF up to 1.2, which has no kind of edges: it becomes an attribute.
    text = open(name, encoding="utf-8").read().replace("gexf.net/1.3", "www.gexf.net/1.2draft")
    kinds = [line.split('kind="')[1].split('"')[0] for line in text.splitlines() if "<edge " in line]
    g = networkx.read_gexf(__import__("io").BytesIO(text.replace('version="1.3"', 'version="1.2"').replace(' type="directed"', "").encode()))
    nodes = set(g)
    for _, _, data in g.edges(data=True):
        add(kinds[int(data["id"])], data.get("weight", 1))
elif name.endswith(".gml"):
    g = networkx.read_gml(name)
    nodes = set(g)
    for _, _, data in g.edges(data=True):
        add(data["relation"], data.get("value", 1))
else:
    head, sections = [], []
    for line in open(name, encoding="utf-8"):
        if line.startswith("*") and not line.lower().startswith(("*network", "*vertices")):
            sections.append([line])
        elif not line.startswith(("%", "#")):
            (sections[-1] if sections else head).append(line)
    for first, *rows in sections:
        word, _, relation = first.strip().lower().partition(" ")
        for row in rows if word in ("*multilayer", "*intra", "*inter") else ():
            fields = row.split() + ["1"]
            ends = {"*multilayer": (0, 1, 2, 3), "*intra": (0, 1, 0, 2), "*inter": (0, 1, 2, 1)}[word]
            from_, source, to, target = (fields[k] for k in ends)
            nodes |= {source, target}
            add("layer " + from_ if from_ == to else "between", fields[max(ends) + 1])
        if word in ("*arcs", "*edges", "*edgeslist"):
            if word == "*edgeslist":
                rows = [f"{row.split()[0]} {target}\n" for row in rows for target in row.split()[1:]]
            g = networkx.parse_pajek("".join(head + ["*Edges\n" if word != "*arcs" else "*Arcs\n"] + rows))
            nodes |= set(g)
            for _, _, data in g.edges(data=True):
                add({":1": "work", ":2": "lunch"}[relation.split()[0]], data.get("weight", 1))
print(len(nodes))
for layer in sorted(layers):
    links, total = layers[layer]
    print(f"{layer}: {links} links, {total:g}")
