package imaging

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

// real reads a file of the public data beside the repository.
func real(t *testing.T, name string) input.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../shared/data", filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		t.Skip("the real data is not there: ../shared/data/" + name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return input.File{Name: filepath.Base(name), Data: data}
}

func TestReadCIFTI(t *testing.T) {
	for _, o := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		c, err := ReadCIFTI(input.File{Name: "a.ptseries.nii",
			Data: formatstest.NIFTI(o, formatstest.Small2x3, []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6})})
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, 3)
		c.Row(row, 1)
		if c.Type() != "ptseries" || c.Columns.Step != 0.72 || !slices.Equal(c.Rows.Names, []string{"A&B", "deep"}) || !slices.Equal(row, []float64{4, 5, 6}) {
			t.Errorf("%s, step %v, %q, %v", c.Type(), c.Columns.Step, c.Rows.Names, row)
		}
		a, b := c.Rows.Parcels[0], c.Rows.Parcels[1]
		if len(a) != 1 || a[0].Structure != "CORTEX_LEFT" || !slices.Equal(a[0].Index, []int32{0, 1, 8}) || !b[0].Voxels || b[0].Count() != 2 {
			t.Errorf("%+v %+v", a, b)
		}
	}
}

func TestCIFTIRefused(t *testing.T) {
	dims := []int{1, 1, 1, 1, 3, 2}
	values := []float32{1, 2, 3, 4, 5, 6}
	le := binary.LittleEndian
	with := func(old, new string) []byte {
		if !strings.Contains(formatstest.Small2x3, old) {
			t.Fatal(old)
		}
		return formatstest.NIFTI(le, strings.Replace(formatstest.Small2x3, old, new, 1), dims, values)
	}
	patch := func(at int, b ...byte) []byte {
		data := formatstest.NIFTI(le, formatstest.Small2x3, dims, values)
		copy(data[at:], b)
		return data
	}
	good := formatstest.NIFTI(le, formatstest.Small2x3, dims, values)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty": {[]byte{}, "a.nii: found a file that does not begin as NIfTI-2 files do, expected " + input.WantCIFTI},
		"volume": {[]byte{92, 1, 0, 0},
			"a.nii: found a NIfTI-1 image, expected " + input.WantCIFTI + "; an image of voxels has to be averaged over regions first"},
		"head":   {good[:300], "a.nii: found a file cut off in its header, expected a complete file"},
		"magic":  {patch(8, '\n'), `a.nii: magic: found "n+2\x00\n\n\x1a\n", expected "n+2\x00\r\n\x1a\n"; a file sent as text is damaged`},
		"type":   {patch(12, 32), "a.nii: datatype: found 32, expected 2, 4, 8, 16, 64, 256, 512 or 768: whole or real numbers of at most 64 bits"},
		"cut":    {good[:len(good)-1], "a.nii: dim[6]: found 2, expected at least 1 and no more than fit into the 23 bytes of data"},
		"huge":   {patch(24+8*4+7, 0x7f), "a.nii: dim[5]: found 9151314442816847875, expected at least 1 and no more than fit into the 24 bytes of data"},
		"offset": {patch(168+7, 0x7f), fmt.Sprintf("a.nii: vox_offset: found %d, expected 544 to %d, the end of the file", 0x7f<<56+len(good)-24, len(good))},
		"no XML": {patch(540, 0), "a.nii: found a NIfTI-2 image without a CIFTI extension, expected " + input.WantCIFTI},
		"esize":  {patch(544, 1, 0, 0, 0), fmt.Sprintf("a.nii: esize: found 1, expected 8 to %d, where the data begin", len(good)-24-544)},
		"version 1": {with(`Version="2"`, `Version="1"`),
			"a.nii: found a CIFTI-1 file, in which the dimensions are the other way round, expected CIFTI-2: wb_command -file-convert " +
				"-cifti-version-convert OLD 2 NEW makes one"},
		"length":   {with(`Points="3"`, `Points="4"`), "a.nii: dimension 0 (series): found 3 in the header and 4 described, expected the same number"},
		"one map":  {with(formatstest.ParcelMap, ""), "a.nii: dimension 1: found no description, expected a MatrixIndicesMap"},
		"two maps": {with(`Dimension="1"`, `Dimension="0"`), `a.nii: AppliesToMatrixDimension: found "0", expected 0, 1 or both, each once`},
		"vertex":   {with("0 1\n 8<", "0 1\n 9<"), "a.nii: vertices of CORTEX_LEFT: found 9, expected numbers below 9, the vertices of its surface"},
		"words":    {with("0 1\n 8<", "0 1x"+"<"), `a.nii: vertices of CORTEX_LEFT: found "x", expected whole numbers >= 0`},
		"voxels":   {with("4 5 6", "4 5"), "a.nii: voxels of parcel deep: found 5 numbers, expected three a voxel"},
		"step":     {with(`Step="720"`, `Step="-1"`), `a.nii: SeriesStep: found "-1", expected a number >= 0`},
		"broken":   {with("</Matrix>", ""), "a.nii: XML line 3: found </CIFTI, expected </Matrix>"},
		"six": {formatstest.NIFTI(le, formatstest.Small2x3, []int{1, 1, 1, 2, 3, 1}, values),
			"a.nii: dim: found [1 1 1 2 3 1], expected [1 1 1 1 columns rows]"},
	} {
		_, err := ReadCIFTI(input.File{Name: "a.nii", Data: c.data})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\n%s", name, err, c.want)
		}
	}
}

func TestReadRealCIFTI(t *testing.T) {
	for name, want := range map[string]struct {
		kind          string
		rows, columns int
		of            []string
		models        int
	}{
		"Conte69.MyelinAndCorrThickness.32k_fs_LR.dtseries.nii": {"dtseries", 60951, 2, nil, 2},
		"Glasser360Indices_LR.dscalar.nii":                      {"dscalar", 91282, 1, nil, 21},
		"Glasser_Validation210_32k_fs_LR.dlabel.nii":            {"dlabel", 59412, 1, []string{"INDEXMAX"}, 2},
		"S1200.sulc_MSMAll.32k_fs_LR.dscalar.nii":               {"dscalar", 59412, 1, []string{"S1200_sulc_MSMAll"}, 2},
		"s01_rest.ptseries.nii":                                 {"ptseries", 360, 1195, nil, 0},
		"s01_rest_skew_kurt.pscalar.nii":                        {"pscalar", 360, 2, []string{"skewness", "excess kurtosis"}, 0},
	} {
		c, err := ReadCIFTI(real(t, "cifti/"+name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Type() != want.kind || c.Rows.Len != want.rows || c.Columns.Len != want.columns || len(c.Rows.Models) != want.models {
			t.Errorf("%s: %s, %d x %d, %d models", name, c.Type(), c.Rows.Len, c.Columns.Len, len(c.Rows.Models))
		}
		if want.of != nil && !slices.Equal(c.Columns.Names, want.of) {
			t.Errorf("%s: maps %q", name, c.Columns.Names)
		}
		if want.kind == "dlabel" && (len(c.Columns.Labels[0]) != 361 || c.Columns.Labels[0][1] != "R_V1_ROI") {
			t.Errorf("%s: %d labels, the first is %q", name, len(c.Columns.Labels[0]), c.Columns.Labels[0][1])
		}
		if want.kind == "ptseries" && (c.Columns.Step != 0.72 || c.Rows.Names[180] != "R_V1_ROI") {
			t.Errorf("%s: step %v, region 180 is %s", name, c.Columns.Step, c.Rows.Names[180])
		}
	}
	_, err := ReadCIFTI(real(t, "cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii"))
	if err == nil || !strings.Contains(err.Error(), "found a CIFTI-1 file") {
		t.Errorf("the CIFTI-1 file: %v", err)
	}
}

// giftiFile writes a tetrahedron with the given encoding of its points.
func giftiFile(encoding string, points func([]float32) string) string {
	p := points([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5})
	return `<GIFTI Version="1.0"><LabelTable><Label Key="0"><![CDATA[???]]></Label><Label Key="7">V1</Label></LabelTable>` +
		`<DataArray Intent="NIFTI_INTENT_POINTSET" DataType="NIFTI_TYPE_FLOAT32" ArrayIndexingOrder="RowMajorOrder" ` +
		`Dimensionality="2" Dim0="4" Dim1="3" Encoding="` + encoding + `" Endian="LittleEndian">` +
		`<MetaData><MD><Name>Name</Name><Value>tetra</Value></MD></MetaData><Data>` + p + `</Data></DataArray>` +
		`<DataArray Intent="NIFTI_INTENT_TRIANGLE" DataType="NIFTI_TYPE_INT32" ArrayIndexingOrder="ColumnMajorOrder" Dimensionality="2" Dim0="4" ` +
		`Dim1="3" Encoding="ASCII"><Data>0 0 0 1 1 1 2 2 2 3 3 3</Data></DataArray></GIFTI>`
}

func packedFloats(x []float32) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	binary.Write(w, binary.LittleEndian, x)
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestReadGIFTI(t *testing.T) {
	for encoding, points := range map[string]func([]float32) string{
		"ASCII": func(x []float32) string { return strings.Trim(fmt.Sprint(x), "[]") },
		"Base64Binary": func(x []float32) string {
			var b bytes.Buffer
			binary.Write(&b, binary.LittleEndian, x)
			s := base64.StdEncoding.EncodeToString(b.Bytes())
			return s[:10] + "\n" + s[10:]
		},
		"GZipBase64Binary": packedFloats,
	} {
		g, err := ReadGIFTI(input.File{Name: "t.surf.gii", Data: []byte(giftiFile(encoding, points))})
		if err != nil {
			t.Fatalf("%s: %v", encoding, err)
		}
		s, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		if s.Vertices[11] != 1.5 || !slices.Equal(s.Triangles, []int32{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3}) || g.Arrays[0].Name != "tetra" ||
			g.Labels[7] != "V1" || len(g.Labels) != 2 {
			t.Errorf("%s: %v %v %q %v", encoding, s.Vertices, s.Triangles, g.Arrays[0].Name, g.Labels)
		}
	}
}

func TestGIFTIRefused(t *testing.T) {
	good := giftiFile("GZipBase64Binary", packedFloats)
	for name, c := range map[string]struct{ old, new, want string }{
		"other XML": {"GIFTI", "svg", "t.gii: XML: found <svg>, expected <GIFTI>"},
		"external": {"GZipBase64Binary", "ExternalFileBinary",
			`t.gii: POINTSET Encoding: found "ExternalFileBinary", expected ASCII, Base64Binary or GZipBase64Binary; values in another file are not read`},
		"short": {`Dim0="4"`, `Dim0="5"`, "t.gii: POINTSET: found 48 bytes of data, expected 60 as its shape says"},
		"long":  {`Dim0="4"`, `Dim0="3"`, "t.gii: POINTSET: found more data, expected 36 bytes as its shape says"},
		"bomb":  {`Dim0="4"`, `Dim0="40000000"`, "t.gii: POINTSET: found a shape of 480000000 bytes in "},
		"huge":  {`Dim0="4"`, `Dim0="400000000"`, "t.gii: POINTSET Dim: found 400000000, expected an array of at most 1.1 GB"},
		"type": {"FLOAT32", "COMPLEX64", `t.gii: POINTSET DataType: found "NIFTI_TYPE_COMPLEX64", expected NIFTI_TYPE_UINT8, NIFTI_TYPE_INT32 ` +
			`or NIFTI_TYPE_FLOAT32`},
		"damaged":   {"<Data>e", "<Data>f", "t.gii: POINTSET: found data that are not compressed, expected GZipBase64Binary"},
		"vertex":    {"3 3 3<", "3 3 4<", "t.gii: TRIANGLE: found vertex 4, expected 0 to 3"},
		"no number": {"3 3 3<", "3 3 x<", `t.gii: TRIANGLE: found "x", expected numbers of its type`},
		"count":     {"3 3 3<", "3 3<", "t.gii: TRIANGLE: found 11 numbers, expected 12 as its shape says"},
		"twice":     {`Key="7"`, `Key="0"`, "t.gii: XML line 1: the label key 0 is there twice"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatal(c.old)
		}
		s := strings.Replace(good, c.old, c.new, 1)
		if name == "other XML" {
			s = strings.ReplaceAll(good, c.old, c.new)
		}
		g, err := ReadGIFTI(input.File{Name: "t.gii", Data: []byte(s)})
		if err == nil {
			_, err = g.Surface()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n%v\n%s", name, err, c.want)
		}
	}
}

func TestReadRealGIFTI(t *testing.T) {
	for _, side := range []string{"lh", "rh"} {
		g, err := ReadGIFTI(real(t, "hcp/atlas/fsaverage5_"+side+".surf.gii"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Surface()
		if err != nil || len(s.Vertices) != 3*10242 || len(s.Triangles) != 3*20480 {
			t.Fatalf("%s: %v", side, err)
		}
		// A closed surface: every edge belongs to two triangles, once in each direction.
		edges := map[[2]int32]bool{}
		for k := 0; k < len(s.Triangles); k += 3 {
			for i := range 3 {
				edges[[2]int32{s.Triangles[k+i], s.Triangles[k+(i+1)%3]}] = true
			}
		}
		for e := range edges {
			if !edges[[2]int32{e[1], e[0]}] {
				t.Fatalf("%s: the edge %v is open", side, e)
			}
		}
		if len(edges) != len(s.Triangles) {
			t.Errorf("%s: %d edges", side, len(edges))
		}
	}
}

func TestAbout(t *testing.T) {
	c, err := ReadCIFTI(input.File{Name: "a.ptseries.nii",
		Data: formatstest.NIFTI(binary.LittleEndian, formatstest.Small2x3, []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6})})
	if err != nil || c.About() != "2 regions x 3 frames of 0.72 s" {
		t.Errorf("%v, %v", c.About(), err)
	}
	g := &GIFTI{Arrays: []GIFTIArray{{Intent: "POINTSET", Array: npy.Array{Shape: []int{4, 3}}}, {Intent: "TRIANGLE", Array: npy.Array{Shape: []int{2, 3}}}}}
	if s := g.About(); s != "2 arrays: pointset 4 x 3, triangle 2 x 3" {
		t.Error(s)
	}
}

// FuzzNeuroimaging reads any bytes as CIFTI, the same as the XML of one, and as GIFTI.
func FuzzNeuroimaging(f *testing.F) {
	f.Add(formatstest.NIFTI(binary.LittleEndian, formatstest.Small2x3, []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6}))
	f.Add([]byte(formatstest.Small2x3))
	f.Add([]byte(giftiFile("GZipBase64Binary", packedFloats)))
	f.Add([]byte(giftiFile("ASCII", func([]float32) string { return "1 2 3 4 5 6 7 8 9 0 1 2" })))
	f.Add(formatstest.NIFTI(binary.LittleEndian, strings.Replace(formatstest.Small2x3, formatstest.ParcelMap, voxels, 1), []int{1, 1, 1, 1, 3, 2},
		[]float32{1, 2, 3, 4, 5, 6}))
	f.Fuzz(func(t *testing.T, data []byte) {
		framed := formatstest.NIFTI(binary.LittleEndian, string(data), []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6})
		frugal.Check(t, 3*(len(data)+len(framed)), func() {
			for _, d := range [][]byte{data, framed} {
				c, err := ReadCIFTI(input.File{Name: "a", Data: d})
				if err == nil {
					c.Row(make([]float64, c.Columns.Len), c.Rows.Len-1)
				}
			}
			g, err := ReadGIFTI(input.File{Name: "a", Data: data})
			if err == nil {
				g.Surface()
				for _, a := range g.Arrays {
					if len(a.Array.Float64s()) != a.Array.Len() {
						t.Fatalf("%v of %d", a.Array.Shape, a.Array.Len())
					}
				}
			}
		})
	})
}
