package connectome_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
)

func dataArray(intent, kind string, shape [2]int, text string) string {
	return fmt.Sprintf(`<DataArray Intent="NIFTI_INTENT_%s" DataType="NIFTI_TYPE_%s" ArrayIndexingOrder="RowMajorOrder" Dimensionality="2" `+
		`Dim0="%d" Dim1="%d" Encoding="ASCII" Endian="LittleEndian"><Data>%s</Data></DataArray>`, intent, kind, shape[0], shape[1], text)
}

func gifti(name string, parts ...string) formats.File {
	return formats.File{Name: name, Data: []byte(`<?xml version="1.0"?><GIFTI Version="1.0" NumberOfDataArrays="1">` + strings.Join(parts, "") + "</GIFTI>")}
}

// A tetrahedron a side, and labels that name its corners.
func tetrahedron(name string, x int) formats.File {
	return gifti(name, dataArray("POINTSET", "FLOAT32", [2]int{4, 3}, fmt.Sprintf("%d 0 0 %d 10 0 %d 0 10 %d 0 0", x, x, x, 2*x)),
		dataArray("TRIANGLE", "INT32", [2]int{4, 3}, "0 1 2 0 1 3 0 2 3 1 2 3"))
}

func labels(name, keys string, names ...string) formats.File {
	table := `<LabelTable><Label Key="0">???</Label>`
	for k, n := range names {
		table += fmt.Sprintf(`<Label Key="%d">%s</Label>`, k+1, n)
	}
	return gifti(name, table+"</LabelTable>", dataArray("LABEL", "INT32", [2]int{4, 1}, keys))
}

func TestReadMesh(t *testing.T) {
	left, right := tetrahedron("s.L.surf.gii", -10), tetrahedron("s.R.surf.gii", 10)
	names := []string{"R_A", "L_A", "L_B", "R_B"}
	both := []formats.File{right, labels("s.R.label.gii", "1 2 0 1", "R_A_ROI", "r_b"), left, labels("s.L.label.gii", "2 1 1 3", "L_A", "L_B", "L_C")}
	m, err := connectome.ReadMesh(both, names, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Region); got != "[2 1 1 -1 0 3 -1 0]" || m.Vertices[0] != -10 || m.Vertices[12] != 10 || m.Triangles[12] != 4 || m.Triangles[14] != 6 {
		t.Errorf("regions %s, triangles %v", got, m.Triangles)
	}
	if len(m.Notes) != 1 || !strings.Contains(m.Notes[0], `Grey, since no region of the data has that name: "L_C".`) {
		t.Errorf("%q", m.Notes)
	}
	// Labels of FreeSurfer name no hemisphere, and other programs write it otherwise.
	m, err = connectome.ReadMesh([]formats.File{tetrahedron("lh.surf.gii", -10), labels("lh.label.gii", "1 2 0 1", "bankssts", "ctx-lh-insula"),
		tetrahedron("rh.surf.gii", 10), labels("rh.label.gii", "1 1 2 0", "bankssts", "insula_R")}, []string{"L_bankssts", "R_bankssts", "R_insula", "L_insula"}, 4)
	if err != nil || fmt.Sprint(m.Region) != "[0 3 -1 0 1 1 2 -1]" || len(m.Notes) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	// A table counts the regions; the left hemisphere comes first.
	table := formats.File{Name: "v.csv", Data: []byte("1\n2\n0\n9\n3\n3\n4\n1\n")}
	m, err = connectome.ReadMesh([]formats.File{right, table, left}, nil, 4)
	if err != nil || fmt.Sprint(m.Region) != "[0 1 -1 -1 2 2 3 0]" {
		t.Errorf("%v, %v", m, err)
	}
	m, err = connectome.ReadMesh([]formats.File{tetrahedron("one.gii", 0), left, table}, nil, 4)
	if err != nil || !strings.Contains(strings.Join(m.Notes, "\n"), "one.gii: its name says no hemisphere") {
		t.Errorf("%v, %v", m, err)
	}
	short := formats.File{Name: "v.csv", Data: []byte("1\n2\n")}
	words := formats.File{Name: "v.csv", Data: []byte("1\nx\n")}
	for want, files := range map[string][]formats.File{
		"surfaces: found 0, expected one or two":     {both[1]},
		"s.L.surf.gii: labels: found none for its 4": {left, both[1]},
		"labels: found none that is a region":        {left, labels("s.L.label.gii", "1 1 1 1", "other")},
		"v.csv: rows: found 2, expected 8":           {left, right, short},
		`v.csv:2: found "x", expected the number`:    {left, words},
		"lh.b.gii: surfaces: found a second mesh of": {left, tetrahedron("lh.b.gii", -5), both[3]},
		"v.csv: labels: found a table of numbers":    {left, right, table, both[1]},
		"no mesh": {gifti("a.gii", dataArray("SHAPE", "FLOAT32", [2]int{4, 1}, "1 2 3 4"))},
	} {
		if _, err := connectome.ReadMesh(files, names, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestRealMesh(t *testing.T) {
	var files []formats.File
	for _, name := range []string{"fsaverage5_rh.surf.gii", "fsaverage5_lh.surf.gii", "glasser_360_fsa5.csv"} {
		data, err := os.ReadFile("../../../../shared/data/hcp/atlas/" + name)
		if err != nil {
			t.Skip("the real data is not there: ../shared/data/hcp/atlas/" + name)
		}
		files = append(files, formats.File{Name: name, Data: data})
	}
	m, err := connectome.ReadMesh(files, nil, 360)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Vertices) != 3*20484 || len(m.Triangles) != 3*40960 || len(m.Region) != 20484 || m.Vertices[0] >= 0 {
		t.Errorf("%d vertices, %d triangles, %d labels", len(m.Vertices)/3, len(m.Triangles)/3, len(m.Region))
	}
	wrong := 0 // left regions have left vertices, except for 17 in this file
	for i, k := range m.Region {
		if k >= 0 && (k < 180) != (i < 10242) {
			wrong++
		}
	}
	if wrong > 17 {
		t.Errorf("%d vertices belong to the other hemisphere", wrong)
	}
}
