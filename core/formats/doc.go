// Package formats reads and writes the files of CaDeM: multiplex edge lists with their
// layer, node and label files, NPY and NPZ arrays, CSV tables and the run archive.
//
// An edge list has one edge a line, "layerID nodeID nodeID weight". Beside it may come
// a layer file ("layerID layerLabel"), a node file ("nodeID nodeLabel ...") and files
// of labels. [Open] tells them apart and puts them together:
//
//	g, report, err := formats.Open([]formats.File{
//		{Name: "office_multiplex.edges", Data: edges},
//		{Name: "office_nodes.txt", Data: nodes},
//		{Name: "labels.csv", Data: labels},
//	})
//
// [ReadCIFTI] and [ReadGIFTI] read what neuroimaging writes: matrices over regions, vertices
// and voxels, and surfaces.
//
// Every file is taken for hostile: a reader returns an [*Error] that names file, line
// and field, allocates in proportion to the bytes it was really given, never to a
// size that a file claims, and does not panic.
package formats
