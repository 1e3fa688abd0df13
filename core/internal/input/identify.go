package input

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
)

// A FileKind is the kind of a file by how it begins, whether anything here reads it or not.
type FileKind struct {
	Name     string // in words: "a picture (PNG)"
	Use      Use
	Expected string // in its place, where the files of a graph are expected
}

// A Use says what files of a kind are read for.
type Use int

const (
	ForNothing Use = iota
	ForGraph       // formats.Read
	ForBrain       // imaging.ReadCIFTI
	ForSurface     // imaging.ReadGIFTI
)

// Kinds that readers are chosen by.
const (
	MATName          = "a MATLAB file of version 5"
	PickleName       = "a pickle of Python"
	MatrixMarketName = "a MatrixMarket matrix"
	GMLName          = "GML"
	PajekName        = "a network of Pajek (.net)"
	InfomapName      = "a network of several layers for Infomap"
	CytoscapeName    = "a network of Cytoscape (.cyjs)"
	JSONName         = "a graph of nodes and links in JSON"
	WorkbookName     = "an Office file (.xlsx, .docx, .pptx)"
)

// PyTorch is a file of torch.save: a zip archive, or several pickles in a row before 2020.
var PyTorch = FileKind{pyTorch, ForNothing, wantPyTorch}

const pyTorch = "a PyTorch file"

// HeadSize is the number of bytes that [Identify] needs.
const HeadSize = 1024

// npyMagic is how .npy files begin.
const NPYMagic = "\x93NUMPY"

// WantUngrouped is the remedy in errors about graphs inside of nodes.
const WantUngrouped = "one graph, without groups: ungroup the nodes and save again"

// WantNetwork is the remedy in errors about files of Cytoscape.
const WantNetwork = "GraphML or SIF: File > Export > Network to File in Cytoscape writes them"

// WantCIFTI is the remedy in errors about other files of that family.
const WantCIFTI = "a CIFTI-2 file (.ptseries.nii, .pconn.nii, .pscalar.nii, .dtseries.nii, .dlabel.nii)"

// WantMAT is the remedy in errors about MAT-files of other versions.
const WantMAT = "a MAT-file of version 5: `load('FILE'); save('FILE.mat', '-v7')` in MATLAB or Octave"

// Remedies in errors about other kinds of files.
const (
	WantFiles = "text (edges, nodes, labels, tables, GraphML, GEXF, GML, Pajek, Infomap, muxViz, .mpx), .npy, .npz, .mat, .pkl, or a zip " +
		"archive of these; or one subject's series or connectivity"
	wantNoBrain = "the files of a graph; the files of one subject's brain are opened by themselves"
	wantVoxels  = WantCIFTI + "; an image of voxels has to be averaged over regions first"
	wantUnpack  = "the files in it, or a zip archive of them"
	wantDL      = "GraphML or a list of edges: File > Export in NetDraw writes them"
	wantPyTorch = "arrays: in Python `import numpy, torch; " +
		"numpy.savez('FILE.npz', **torch.load('FILE'))` of a dictionary of tensors"
	wantDGL = `arrays: numpy.savez("FILE.npz", edge_index=numpy.stack([t.numpy() for t in graph.edges()]), ...) writes them once ` +
		`dgl.load_graphs has read it`
	xarray = "`import numpy, xarray; numpy.savez('FILE.npz', **xarray.open_dataset('FILE'))`; " +
		"of a connectivity of MNE `import mne_connectivity as m, numpy; " +
		"numpy.savez('FILE.npz', NAME=m.read_connectivity('FILE').get_data('dense'))`"
	wantNetCDF = "arrays: in Python " + xarray
	wantHDF5   = "arrays: in Python `import h5py, numpy; numpy.savez('FILE.npz', **h5py.File('FILE'))`; " +
		"of AnnData `import anndata, scipy.io; " +
		"[scipy.io.mmwrite(k, v) for k, v in anndata.read_h5ad('FILE').obsp.items()]`; " +
		"of NetCDF " + xarray + "; or " + WantMAT
	inGraphML = "write_graph(NAME, 'FILE.graphml', format = 'graphml')`; of a table or a matrix `"
	wantR     = "GraphML: in R `library(igraph); NAME <- readRDS('FILE'); " + inGraphML +
		"NAME <- readRDS('FILE'); write.csv(NAME, 'FILE.csv')`"
	wantRData = "GraphML: in R, NAME being what ls() lists, `library(igraph); load('FILE'); " + inGraphML +
		"load('FILE'); write.csv(NAME, 'FILE.csv')`"
	pandas     = "a table: in Python `import pandas; pandas."
	toCSV      = "('FILE').to_csv('FILE.csv', index=False)`"
	WantSheets = "a .csv file of each table: in Python `import pandas; " +
		"[t.to_csv(k + '.csv', index=False) for k, t in pandas.read_excel('FILE', None).items()]`"
	wantSPSS = "a table: in R `NAME <- foreign::read.spss('FILE', to.data.frame = TRUE); " +
		"write.csv(NAME, 'FILE.csv', row.names = FALSE)`"
	wantSQLite = "a table: `sqlite3 -header -csv FILE 'select * from NAME' > FILE.csv`, " +
		"NAME being what `sqlite3 FILE .tables` lists"
	wantPrinted = "GraphML: in R " +
		"`igraph::write_graph(NAME, 'FILE.graphml', format = 'graphml')`"
	wantSQL = "the table of links as .csv: in a shell " +
		"`sqlite3 new.db '.read FILE' '.mode csv' '.headers on' 'select * from NAME' > FILE.csv`"
	wantQuery = `links alone: apoc.export.csv.query("MATCH (a)-[r]->(b) ` +
		`RETURN a.name AS source, type(r) AS layer, b.name AS target", "FILE", {})`
	wantDOT       = "GML: in a shell `gv2gml FILE > FILE.gml` with Graphviz"
	wantGraphTool = "GraphML: in Python `import graph_tool; " +
		"graph_tool.load_graph('FILE').save('FILE.graphml')`"
	wantPickle = "protocol 2 to 5: in Python `import pickle; " +
		"pickle.dump(pickle.load(open('FILE', 'rb')), open('FILE.pkl', 'wb'), protocol=4)`"
)

// WantGraphML says how networkx writes as GraphML what one of its functions reads.
func WantGraphML(reader string) string {
	open := strings.Repeat(")", strings.Count(reader, "("))
	return "GraphML: in Python `import json, networkx as nx; " +
		"nx.write_graphml(nx." + reader + "('FILE'" + open + "), 'FILE.graphml')`"
}

// Remedy is what to do about a file: what is expected, in which FILE is its name.
func (k FileKind) Remedy(file string) string {
	return strings.ReplaceAll(k.Expected, "FILE", file)
}

// A signature is the bytes of files of a kind at a position. A weak one may begin a text, too.
type signature struct {
	at    int
	bytes string
	weak  bool
	FileKind
}

// wide is text of two bytes a character.
const wide = "UTF-16 text"

// signatures are in the order of the search: specific ones come first. They call nothing, so that a program that opens no files is linked
// without them.
var signatures = []signature{
	{0, NPYMagic, false, FileKind{"a NumPy array", ForGraph, ""}},
	{0, "MATLAB 5.0 MAT-file", false, FileKind{MATName, ForGraph, ""}},
	{0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", false, FileKind{pyTorch, ForNothing, wantPyTorch}},
	{0, "\x3f\xa1\xb4\x46\xf0\x4f\x2e\xdd", false, FileKind{"graphs of DGL", ForNothing, wantDGL}},
	{0, "\xe2\x9b\xbe gt", false, FileKind{"a graph of graph-tool (.gt)", ForNothing, wantGraphTool}},
	{0, "Octave-1-", false, FileKind{"a binary file of Octave", ForNothing, WantMAT}},
	{0, "MATLAB 7.3", false, FileKind{"an HDF5 file, as MATLAB saves with '-v7.3'", ForNothing, WantMAT}},
	{0, "\x89HDF\r\n", false, FileKind{"an HDF5 file, as MATLAB saves with '-v7.3'", ForNothing, wantHDF5}},
	{344, "n+1\x00", false, FileKind{"a NIfTI-1 image", ForNothing, wantVoxels}},
	{344, "ni1\x00", false, FileKind{"the header of a NIfTI-1 image", ForNothing, wantVoxels}},
	{0, "\xff\xff\xfe", false, FileKind{"a FreeSurfer surface", ForNothing, "a GIFTI surface"}},
	{0, "\xff\xff\xff", false, FileKind{"a FreeSurfer map of a surface", ForNothing, WantCIFTI}},
	{0, "CDF\x01", false, FileKind{"a NetCDF file", ForNothing, wantNetCDF}},
	{0, "CDF\x02", false, FileKind{"a NetCDF file", ForNothing, wantNetCDF}},
	{128, "DICM", false, FileKind{"a DICOM image", ForNothing, wantVoxels}},
	{0, "TRACK\x00", false, FileKind{"tracts of TrackVis", ForNothing, WantFiles}},
	{0, "mrtrix ", true, FileKind{"a file of MRtrix", ForNothing, WantFiles}},
	{0, "\x00\x00\x00\x64\x00\x00\x00\x1f", false, FileKind{"an MEG recording (FIF)", ForNothing, WantFiles}},
	{0, "0       ", true, FileKind{"a recording (EDF)", ForNothing, WantFiles}},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", false, FileKind{"an Office file of the old kind (.xls, .doc, .ppt)", ForNothing, WantSheets}},
	{0, "PK\x05\x06", false, FileKind{"an empty zip archive", ForGraph, ""}},
	{0, "PK\x03\x04", false, FileKind{"a zip archive", ForGraph, ""}},
	{0, "\x1f\x8b", false, FileKind{"a gzip file", ForGraph, ""}},
	{0, "BZh", true, FileKind{"a bzip2 file", ForNothing, wantUnpack}},
	{0, "\xfd7zXZ\x00", false, FileKind{"an xz file", ForNothing, wantUnpack}},
	{0, "\x28\xb5\x2f\xfd", false, FileKind{"a zstd file", ForNothing, wantUnpack}},
	{0, "7z\xbc\xaf\x27\x1c", false, FileKind{"a 7z archive", ForNothing, wantUnpack}},
	{0, "Rar!\x1a\x07", false, FileKind{"a RAR archive", ForNothing, wantUnpack}},
	{257, "ustar", false, FileKind{"a tar archive", ForNothing, wantUnpack}},
	{0, "%PDF-", false, FileKind{"a PDF", ForNothing, WantFiles}},
	{0, "\x89PNG", false, FileKind{"a picture (PNG)", ForNothing, WantFiles}},
	{0, "\xff\xd8\xff", false, FileKind{"a picture (JPEG)", ForNothing, WantFiles}},
	{0, "GIF8", true, FileKind{"a picture (GIF)", ForNothing, WantFiles}},
	{0, "II*\x00", false, FileKind{"a picture (TIFF)", ForNothing, WantFiles}},
	{0, "MM\x00*", false, FileKind{"a picture (TIFF)", ForNothing, WantFiles}},
	{8, "WEBP", true, FileKind{"a picture (WebP)", ForNothing, WantFiles}},
	{0, "BM", true, FileKind{"a picture (BMP)", ForNothing, WantFiles}},
	{0, "PAR1", true, FileKind{"a Parquet file", ForNothing, pandas + "read_parquet" + toCSV}},
	{0, "ARROW1", true, FileKind{"an Arrow file", ForNothing, pandas + "read_feather" + toCSV}},
	{0, "FEA1", true, FileKind{"a Feather file", ForNothing, pandas + "read_feather" + toCSV}},
	{0, "RDX", true, FileKind{"data of R (.RData)", ForNothing, wantRData}},
	{0, "X\n\x00\x00\x00", false, FileKind{"data of R (.rds)", ForNothing, wantR}},
	{0, "$FL2", true, FileKind{"data of SPSS", ForNothing, wantSPSS}},
	{0, "<stata_dta>", false, FileKind{"data of Stata", ForNothing, pandas + "read_stata" + toCSV}},
	{0, "\x72\x02\x01\x00", false, FileKind{"data of Stata", ForNothing, pandas + "read_stata" + toCSV}},
	{0, "SQLite format 3\x00", false, FileKind{"an SQLite database", ForNothing, wantSQLite}},
	{0, "\x7fELF", false, FileKind{"a program", ForNothing, WantFiles}},
	{0, "MZ", true, FileKind{"a program", ForNothing, WantFiles}},
	{0, "\xff\xfe", false, FileKind{wide, ForGraph, ""}},
	{0, "\xfe\xff", false, FileKind{wide, ForGraph, ""}},
	{0, "\x00asm", false, FileKind{"a program (WebAssembly)", ForNothing, WantFiles}},
}

// ciftiKinds are the kinds of CIFTI-2 files by the intent code of their header, from 3001 on.
var ciftiKinds = []string{"dconn: connectivity of vertices and voxels", "dtseries: a series of vertices and voxels", "pconn: connectivity of regions",
	"ptseries: a series of regions", "", "dscalar: maps of vertices and voxels", "dlabel: labels of vertices and voxels", "pscalar: maps of regions",
	"pdconn: connectivity of regions with vertices", "dpconn: connectivity of vertices with regions"}

// IsCompanion reports whether a file describes data by its name, or is a part of such that graphs have no use for.
func IsCompanion(name string) bool {
	base := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))), ".gz")
	stem, _, _ := strings.Cut(base, ".")
	const (
		stems   = "readme license licence copying citation changelog changes authors contributing makefile"
		endings = ".md .rst .yaml .yml .toml .bib .ris .clu .vec .per .log .ini .cfg .sh .bat .py .ipynb .r .rmd .jl .tex"
	)
	table := slices.Contains([]string{".csv", ".tsv", ".txt"}, path.Ext(base))
	return stem == "" || stem == "meta" && !table ||
		slices.Contains(strings.Fields(stems), stem) || slices.Contains(strings.Fields(endings), path.Ext(base))
}

// Identify returns the kind of a file of that number of bytes from its first [HeadSize] bytes; a
// size of 0 is unknown.
func Identify(head []byte, n int64) FileKind {
	if kind, ok := binaryKind(head, n); ok {
		return kind
	}
	return textKind(head)
}

// binaryKind is [Identify] for files other than text.
func binaryKind(head []byte, n int64) (FileKind, bool) {
	if kind, ok := cifti(head); ok {
		return kind, true
	}
	if isMAT4(head) {
		return FileKind{"a MATLAB file of version 4", ForNothing, WantMAT}, true
	}
	if len(head) > 1 && head[0] == 0x80 && !bytes.HasPrefix(head, []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46")) && head[1] <= 5 {
		return FileKind{PickleName, ForGraph, ""}, true
	}
	if len(head) >= 128 && (string(head[126:128]) == "IM" || string(head[126:128]) == "MI") && head[124]+head[125] == 1 {
		return FileKind{MATName, ForGraph, ""}, true // whatever its first line says
	}
	controls, zero := 0, false
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			controls++
			zero = zero || c == 0
		}
	}
	for _, s := range signatures {
		if len(head) < s.at || !bytes.HasPrefix(head[s.at:], []byte(s.bytes)) || s.weak && controls == 0 {
			continue
		}
		if s.bytes == "PK\x03\x04" {
			if office := officeKind(head); office.Name != "" {
				return office, true
			}
		}
		return s.FileKind, true
	}
	if isWide(head) {
		return FileKind{wide, ForGraph, ""}, true
	}
	const most = 20 // one control character in this number of bytes says nothing
	if !zero && most*controls <= len(head) {
		return FileKind{}, false
	}
	name := "an unknown binary file"
	if n > 0 {
		name += " of " + Size(n)
	}
	return FileKind{name, ForNothing, WantFiles}, true
}

// isWide reports whether a beginning is UTF-16 without a byte order mark: of most pairs of bytes one is 0, always on the same side, and the
// other stands in texts.
func isWide(head []byte) bool {
	var zeros [2]int
	for k, c := range head {
		if c == 0 {
			zeros[k%2]++
		} else if c < ' ' && (c < '\t' || c > '\r') {
			return false
		}
	}
	return len(head) > 3 && min(zeros[0], zeros[1]) == 0 && 3*max(zeros[0], zeros[1]) > len(head)
}

// cifti distinguishes files that begin as NIfTI-2 does.
func cifti(head []byte) (FileKind, bool) {
	const header, intentAt = 540, 504
	if len(head) < 12 || string(head[4:7]) != "n+2" && string(head[4:7]) != "ni2" {
		return FileKind{}, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(head) != header {
		order = binary.BigEndian
	}
	if bytes.Contains(head, []byte("<CIFTI Version=\"1")) {
		return FileKind{"a CIFTI-1 file", ForBrain, wantNoBrain}, true
	}
	if len(head) >= header {
		if k := int(int32(order.Uint32(head[intentAt:]))) - 3001; k >= 0 && k < len(ciftiKinds) && ciftiKinds[k] != "" {
			return FileKind{"a CIFTI-2 file (" + ciftiKinds[k] + ")", ForBrain, wantNoBrain}, true
		}
	}
	if bytes.Contains(head, []byte("<CIFTI")) {
		return FileKind{"a CIFTI-2 file", ForBrain, wantNoBrain}, true
	}
	return FileKind{"a NIfTI-2 image", ForNothing, wantVoxels}, true
}

// Office is what files of Office hold.
const Office = "[Content_Types].xml"

// officeKind returns the kind of Office file of a zip archive by the names of its first members; none
// if it is no such file.
func officeKind(head []byte) FileKind {
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case has("mimetypeapplication/vnd.oasis.opendocument."):
		return FileKind{"an OpenDocument file (.ods, .odt, .odp)", ForNothing, WantSheets}
	case has(Office), has("_rels/.rels"), has("docProps/"), has("xl/work"):
		return FileKind{WorkbookName, ForGraph, ""}
	}
	return FileKind{}
}

// isMAT4 reports whether a file begins as matrices of MATLAB's version 4 do: with five words, which
// are type, rows, columns, whether numbers are complex, and the length of the name that follows.
func isMAT4(head []byte) bool {
	const words = 20
	if len(head) < words+2 {
		return false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 0 && head[1] == 0 && (head[2] != 0 || head[3] != 0) {
		order = binary.BigEndian
	}
	kind, name := order.Uint32(head), order.Uint32(head[16:])
	if kind >= 5000 || kind/100%10 != 0 || kind/10%10 > 5 || kind%10 > 2 || order.Uint32(head[12:]) > 1 || name < 2 || name > 64 {
		return false
	}
	text := head[words:min(len(head), words+int(name))]
	for k, c := range text {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || k > 0 && (c == '_' || c >= '0' && c <= '9')
		if !letter && !(c == 0 && k == int(name)-1) {
			return false
		}
	}
	return true
}

// begin returns the beginning of a text in lower case: behind its comments, and the same without
// blanks and commas.
func begin(head []byte) (text, dense string) {
	text = string(bytes.ToLower(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if !IsComment(line) && !strings.HasPrefix(line, "/") { // of DOT
			break
		}
		text = rest
	}
	text = strings.TrimSpace(text)
	return text, strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", ",", "").Replace(text)
}

// graphText distinguishes the graph formats in text of other programs. Many can be read here in another format only.
func graphText(head []byte) (FileKind, bool) {
	of := func(name, expected string) (FileKind, bool) { return FileKind{name, ForNothing, expected}, true }
	all := strings.ToLower(string(head))
	text, dense := begin(head)
	first, _, _ := strings.Cut(text, "\n")
	word, _, _ := strings.Cut(strings.TrimSpace(first), " ")
	starts := func(s string, with ...string) bool {
		return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(s, w) })
	}
	switch {
	case starts(all, "# created by octave"), starts(all, "# name:") && strings.Contains(all, "\n# type:"):
		return of("text of Octave", WantMAT)
	case starts(text, "*multi", "*intra", "*inter"), starts(text, "*") && (strings.Contains(text, "\n*multi") || strings.Contains(text, "\n*intra")):
		return FileKind{InfomapName, ForGraph, ""}, true
	case starts(text, "*vertices", "*network", "*arcs", "*edges", "*matrix"):
		return FileKind{PajekName, ForGraph, ""}, true
	case starts(text, "*node data", "*node properties", "*tie data"):
		return of("a VNA file of UCINET's NetDraw", wantDL)
	case starts(dense, "dln=", "dlnr=", "dlnc=", "dlnm=", "dlformat="):
		return of("a DL file of UCINET", wantDL)
	case starts(dense, "graph["), slices.Contains([]string{"creator", "version", "comment"}, word) && strings.Contains(dense, "graph["):
		return FileKind{GMLName, ForGraph, ""}, true
	case starts(text, "graph", "digraph", "strict") && (strings.Contains(first, "{") || strings.HasPrefix(text[len(first):], "\n{")):
		return of("DOT of Graphviz", wantDOT)
	case starts(text, "nodedef>"):
		return of("GDF of GUESS", "GraphML: open it in Gephi and export it with File > Export > Graph file")
	case starts(text, "leda.graph"):
		return of("a graph of LEDA", WantGraphML("read_leda"))
	case starts(text, "ccopy_reg\n", "ccopyreg\n", "(dp0\n", "(dp1\n", "(lp0\n", "(lp1\n"):
		return of("a pickle of Python in protocol 0", wantPickle)
	case starts(text, "igraph "):
		return of("a graph that R printed", wantPrinted)
	case strings.Contains(first, "sparse matrix of class"):
		return of("a sparse matrix that R printed",
			"a table: in R `write.csv(as.matrix(NAME), 'FILE.csv')`")
	case starts(text, ">>graph6<<"):
		return of("graph6", WantGraphML("read_graph6"))
	case starts(text, "create table", "drop table", "insert ", "begin tran", "pragma ", "set "):
		return of("statements of SQL", wantSQL)
	case strings.Contains(first, "_start") && strings.Contains(first, "_labels"):
		return of("nodes and links of neo4j in one table", wantQuery)
	case strings.Contains(first, "trip_id") && strings.Contains(first, "stop_sequence"):
		return of("times of GTFS, which has no links",
			"a .csv file with a stop, the next one of its trip, and its route: source,target,layer")
	case !starts(dense, "{\"", "{}", "[{", "[["):
	case strings.Contains(all, "\"cxversion\"") || strings.Contains(all, "\"numberverification\""):
		return of("CX or CX2 of Cytoscape and NDEx", WantNetwork)
	case strings.Contains(all, "\"elements\"") || strings.Contains(all, "cytoscape"):
		return FileKind{CytoscapeName, ForGraph, ""}, true
	case strings.Contains(all, "\"nodes\"") || strings.Contains(all, "\"links\"") || strings.Contains(all, "\"edges\"") || strings.Contains(all, "\"multigraph\""),
		starts(dense, "[{\"") && strings.Contains(all, "\"source\""):
		return FileKind{JSONName, ForGraph, ""}, true
	default:
		return of("JSON", "a list of links, "+
			`[{"source": "a", "target": "b", "layer": "x"}, ...], or tables saved as .csv`)
	}
	return FileKind{}, false
}

// textKind distinguishes files that begin as text.
func textKind(head []byte) FileKind {
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	if bytes.HasPrefix(text, []byte("<")) {
		for _, k := range []struct {
			tag string
			FileKind
		}{
			{"<gifti", FileKind{"a GIFTI file", ForSurface, "the files of a graph; the page's brain view opens surfaces"}},
			{"<graphml", FileKind{"GraphML", ForGraph, ""}}, {"<gexf", FileKind{"GEXF", ForGraph, ""}},
			{"<svg", FileKind{"a picture (SVG)", ForNothing, WantFiles}},
			{"<!doctype html", FileKind{"a web page", ForNothing, WantFiles}}, {"<html", FileKind{"a web page", ForNothing, WantFiles}},
			{"xgmml", FileKind{"XGMML", ForNothing, WantNetwork}},
			{":graphml", FileKind{"GraphML", ForGraph, ""}},
		} {
			if bytes.Contains(text, []byte(k.tag)) {
				return k.FileKind
			}
		}
	}
	if bytes.HasPrefix(text, []byte("%%matrixmarket")) {
		return FileKind{MatrixMarketName, ForGraph, ""}
	}
	if kind, ok := graphText(head); ok {
		return kind
	}
	return FileKind{"text", ForGraph, ""}
}
