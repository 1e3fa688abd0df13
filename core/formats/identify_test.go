package formats

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
)

// withIntent writes a CIFTI-2 file with the intent code that files of its kind have.
func withIntent(o binary.ByteOrder, code uint32) []byte {
	data := formatstest.NIFTI(o, formatstest.Small2x3, []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6})
	o.PutUint32(data[504:], code)
	return data
}

// at returns bytes with a word at a place.
func at(place int, word string) []byte {
	return append(make([]byte, place), word+"\x00\x00\x00\x00"...)
}

// kinds are beginnings of files by what they are.
func kinds(t *testing.T) map[string][]byte {
	t.Helper()
	packed := func(pairs ...string) []byte { return formatstest.Zip(t, zip.Store, pairs...) }
	return map[string][]byte{
		"a CIFTI-2 file (dconn: connectivity of vertices and voxels)": withIntent(binary.LittleEndian, 3001),
		"a CIFTI-2 file (dtseries: a series of vertices and voxels)":  withIntent(binary.BigEndian, 3002),
		"a CIFTI-2 file (pconn: connectivity of regions)":             withIntent(binary.LittleEndian, 3003),
		"a CIFTI-2 file (ptseries: a series of regions)":              withIntent(binary.BigEndian, 3004),
		"a CIFTI-2 file (dscalar: maps of vertices and voxels)":       withIntent(binary.LittleEndian, 3006),
		"a CIFTI-2 file (dlabel: labels of vertices and voxels)":      withIntent(binary.LittleEndian, 3007),
		"a CIFTI-2 file (pscalar: maps of regions)":                   withIntent(binary.LittleEndian, 3008),
		"a CIFTI-2 file":             withIntent(binary.LittleEndian, 0),
		"a CIFTI-1 file":             formatstest.NIFTI(binary.LittleEndian, `<CIFTI Version="1">`, []int{1}, nil),
		"a NIfTI-2 image":            formatstest.NIFTI(binary.LittleEndian, "", []int{2, 2, 2}, nil),
		"a NIfTI-1 image":            at(344, "n+1\x00"),
		"a DICOM image":              at(128, "DICM"),
		"a GIFTI file":               []byte("<?xml version=\"1.0\"?>\n<!DOCTYPE GIFTI SYSTEM \"gifti.dtd\">\n<GIFTI Version=\"1.0\">"),
		"a FreeSurfer surface":       []byte("\xff\xff\xfecreated by"),
		"a NumPy array":              []byte("\x93NUMPY\x01\x00"),
		"a MATLAB file of version 5": append(append([]byte("another head"), make([]byte, 112)...), 0, 1, 'I', 'M'),
		"an HDF5 file, as MATLAB saves with '-v7.3'":        []byte("\x89HDF\r\n\x1a\n\x00"),
		"a pickle of Python":                                []byte("\x80\x04\x95"),
		"a zip archive":                                     packed("a.edges", "1 1 2 1\n"),
		"an Office file (.xlsx, .docx, .pptx)":              packed("[Content_Types].xml", "<Types/>"),
		"an OpenDocument file (.ods, .odt, .odp)":           packed("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
		"an Office file of the old kind (.xls, .doc, .ppt)": []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00"),
		"a gzip file":                                       []byte("\x1f\x8b\x08\x00"),
		"a bzip2 file":                                      []byte("BZh91AY&SY\x00"),
		"a tar archive":                                     at(257, "ustar"),
		"a PDF":                                             []byte("%PDF-1.7\n"),
		"a picture (PNG)":                                   []byte("\x89PNG\r\n\x1a\n\x00"),
		"a picture (JPEG)":                                  []byte("\xff\xd8\xff\xe0\x00"),
		"a picture (BMP)":                                   []byte("BM\x36\x00\x00\x00"),
		"a picture (SVG)":                                   []byte("<svg xmlns=\"http://www.w3.org/2000/svg\">"),
		"a web page":                                        []byte("\n<!DOCTYPE html>\n<html>"),
		"GraphML":                                           []byte("<graphml>"),
		"UTF-16 text":                                       []byte("\xff\xfe1\x00 \x00"),
		"a program":                                         []byte("\x7fELF\x02\x01\x01\x00"),
		"an unknown binary file of 12 bytes":                []byte("ab\x00\x01\x02\x03cdefgh"),
		"text":                                              []byte("BMI,MZ,GIF89\n1,2,3\n"),
	}
}

// mat4 begins a matrix of MATLAB's version 4: 3 x 3, of a name.
func mat4(o binary.AppendByteOrder, kind uint32, name string) []byte {
	var b []byte
	for _, word := range []uint32{kind, 3, 3, 0, uint32(len(name) + 1)} {
		b = o.AppendUint32(b, word)
	}
	return append(append(b, name...), make([]byte, 73)...)
}

// Files of other programs differ in blanks, comments, letters and byte order.
func TestIdentifyVariants(t *testing.T) {
	for want, beginnings := range map[string][]string{
		"a MATLAB file of version 4": {string(mat4(binary.BigEndian, 1000, "A")), string(mat4(binary.LittleEndian, 2, "sparse_1"))},
		"text of Octave":             {"# name: x\n# type: scalar\n3\n"},
		"GML":                        {"graph [\n", "# of a book\ngraph\t[ node [ id 1 ] ]", "\ufeffgraph\r\n[\r\n", "Version 1\ngraph [ directed 1"},
		"a network of Pajek (.net)":  {"*network friends\n*vertices 3\n", "*Arcs\n1 2 1\n", "\n*Edges\n1 2\n"},
		"a network of several layers for Infomap": {"*Multilayer\n", "*Intra\n1 1 2\n", "*Vertices 1\n1 \"a\"\n*Intra\n", "*multiplex\n1 1 2 2\n"},
		"a DL file of UCINET":                     {"dl n=4 format=edgelist1\n", "DL\nNR = 3 NC = 2\n", "dl format = nodelist1, n = 3"},
		"DOT of Graphviz":                         {"graph {\n", "digraph G {", "graph net\n{\n"},
		"a graph of nodes and links in JSON":      {"{\"nodes\":[],\"links\":[]}", "{\n  \"multigraph\": true", "[{\"source\":\"a\",\"target\":\"b\"}]"},
		"a graph that R printed":                  {"IGRAPH 5e1b1c1 UNW- 16 62 -- \n+ attr: name (v/c)\n"},
		"a sparse matrix that R printed":          {"3 x 3 sparse Matrix of class \"dsCMatrix\"\n          \n[1,] . 1 .\n"},
		"graph6":                                  {">>graph6<<DhC\n"},
		"XGMML":                                   {"<?xml version=\"1.0\"?>\n<graph label=\"net\" xmlns=\"http://www.cs.rpi.edu/XGMML\">"},
		"statements of SQL": {"-- MySQL dump 10.13\n--\nDROP TABLE IF EXISTS `edges`;\n",
			"PRAGMA foreign_keys=OFF;\n", "CREATE TABLE e (a text);\n"},
		"times of GTFS, which has no links":     {"trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,08:00:00,08:00:00,S0,1\n"},
		"nodes and links of neo4j in one table": {"\"_id\",\"_labels\",\"name\",\"_start\",\"_end\",\"_type\"\n"},
		"a pickle of Python in protocol 0":      {"(dp0\nS'work'\n", "(lp0\nI1\na."},
		"a MatrixMarket matrix":                 {"%%matrixmarket MATRIX array real general\n"},
		"text": {"graph,class,file\na,b,c\n", "dl 1\n2 3\n", "graph work 1 2\n", "*** notes\n", "strict 1\n", "version,a\n1,2\n", "# name: Ana\n1 2\n",
			"% Pajek has *Vertices\n1 2\n", "[a] [b]\n"},
	} {
		for _, s := range beginnings {
			if got := Identify([]byte(s), int64(len(s))); got.Name != want {
				t.Errorf("%q is taken for %s, expected %s", s, got.Name, want)
			}
		}
	}
}

func TestIdentify(t *testing.T) {
	for want, data := range kinds(t) {
		got := Identify(data[:min(len(data), HeadSize)], int64(len(data)))
		if got.Name != want {
			t.Errorf("%q is taken for %s, expected %s", data[:min(len(data), 20)], got.Name, want)
		}
		if (got.Use == ForGraph) != (got.Expected == "") {
			t.Errorf("%s is for %d, expected %q", want, got.Use, got.Expected)
		}
	}
	if got := Identify(bytes.Repeat([]byte("\x03\x00ab"), 256), 12_345); got.Name != "an unknown binary file of 12 kB" {
		t.Error(got.Name)
	}
	for _, text := range []string{"BM", "MZ", "PAR1", "RDX", "mrtrix tracks", "GIF8", "\"", "", "Größe", "\xe4 of Latin-1"} {
		if got := Identify([]byte(text), int64(len(text))); got.Name != "text" {
			t.Errorf("%q is taken for %s", text, got.Name)
		}
	}
}

// Readers of graphs refuse other files by their name and kind, also in an archive and packed by
// gzip.
func TestOtherKindsAreNamed(t *testing.T) {
	for kind, data := range kinds(t) {
		if Identify(data[:min(len(data), HeadSize)], int64(len(data))).Use == ForGraph {
			continue
		}
		var gz bytes.Buffer
		w := gzip.NewWriter(&gz)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for name, file := range map[string][]byte{"report.bin": data, "report.gz": gz.Bytes(),
			"a.zip/report.bin": formatstest.Zip(t, zip.Deflate, "report.bin", string(data))} {
			archive, _, _ := strings.Cut(name, "/")
			_, err := Read([]File{{Name: archive, Data: file}})
			if want := name + ": found " + strings.TrimSuffix(kind, " of 12 bytes"); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v\nexpected %s", err, want)
			}
		}
	}
}

// Real files of all kinds that are beside the repository.
func TestIdentifyRealFiles(t *testing.T) {
	for name, want := range map[string]string{
		"cifti/s01_rest.ptseries.nii":                                 "a CIFTI-2 file (ptseries: a series of regions)",
		"cifti/s01_rest_skew_kurt.pscalar.nii":                        "a CIFTI-2 file (pscalar: maps of regions)",
		"cifti/Conte69.MyelinAndCorrThickness.32k_fs_LR.dtseries.nii": "a CIFTI-2 file (dtseries: a series of vertices and voxels)",
		"cifti/Glasser360Indices_LR.dscalar.nii":                      "a CIFTI-2 file (dscalar: maps of vertices and voxels)",
		"cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii":            "a CIFTI-2 file (dlabel: labels of vertices and voxels)",
		"cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii":              "a CIFTI-1 file",
		"hcp/atlas/fsaverage5_lh.surf.gii":                            "a GIFTI file",
		"hcp/rest/s01.npy":                                            "a NumPy array",
		"acm/ACM3025.mat":                                             "a MATLAB file of version 5",
		"imdb/imdb_csr_proto2.pkl":                                    "a pickle of Python",
		"imdb/mam.npz":                                                "a zip archive",
		"imdb/imdb_hdmi_layout.pkl.gz":                                "a gzip file",
		"small/aucs/labels.csv":                                       "text",
	} {
		f, err := os.Open("../../../shared/data/" + name)
		if os.IsNotExist(err) {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, HeadSize)
		n, err := f.Read(head)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := Identify(head[:n], 0); got.Name != want {
			t.Errorf("%s is taken for %s, expected %s", name, got.Name, want)
		}
	}
}
