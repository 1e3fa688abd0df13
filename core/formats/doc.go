// Package formats reads the files of a multiplex graph. It detects by its content what a file
// is, and puts files together that were opened together:
//
//   - edge lists with their layer, node and label files, GraphML, GEXF, GML, networks of Pajek and
//     Infomap, muxViz and multinet files, and tables (internal/text);
//   - arrays and matrices of NumPy ([cadem.example/core/formats/npy]), MATLAB (internal/mat) and pickle
//     (internal/pickle), which become variables (internal/variable);
//   - zip and gzip archives of all of these.
//
// [Read] reads them and [Content.Graph] makes a graph of what they hold:
//
//	content, err := formats.Read([]formats.File{
//		{Name: "office_multiplex.edges", Data: edges},
//		{Name: "office_nodes.txt", Data: nodes},
//		{Name: "labels.csv", Data: labels},
//	})
//	if err != nil { ... }
//	g, report, err := content.Graph(formats.Choice{})
//
// An edge list has one edge a line, "layerID nodeID nodeID weight". Beside it may come a layer
// file ("layerID layerLabel"), a node file ("nodeID nodeLabel ...") and files of labels.
//
// The packages beside this one read brains ([cadem.example/core/brain/imaging]: CIFTI, GIFTI), write
// embeddings ([cadem.example/core/formats/export]) and keep saved runs ([cadem.example/core/formats/archive]).
//
// Every file is taken for hostile (internal/input): a reader returns a [*diag.Error] that names
// file, line and field, allocates in proportion to the bytes it was really given, never to a
// size that a file claims, and does not panic.
package formats
