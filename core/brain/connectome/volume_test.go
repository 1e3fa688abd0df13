package connectome

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/brain/imaging"
	"cadem.example/core/formats"
)

// niftiOf writes a CIFTI-2 file of a matrix, row by row, and the description of its columns and rows.
func niftiOf(name, columns, rows string, m, n int, values []float64) formats.File {
	text := `<CIFTI Version="2"><Matrix>` + columns + rows + `</Matrix></CIFTI>`
	text += strings.Repeat("\x00", 16-(len(text)+8)%16)
	le := binary.LittleEndian
	head := make([]byte, 544)
	le.PutUint32(head, 540)
	copy(head[4:], "n+2\x00\r\n\x1a\n")
	le.PutUint16(head[12:], 64)
	le.PutUint64(head[16:], 6)
	for k, d := range []int{1, 1, 1, 1, n, m} {
		le.PutUint64(head[24+8*k:], uint64(d))
	}
	head[540] = 1
	b := append(le.AppendUint32(le.AppendUint32(head, uint32(len(text)+8)), 32), text...)
	le.PutUint64(b[168:], uint64(len(b)))
	for _, v := range values {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	return formats.File{Name: name, Data: b}
}

// A grid is a volume of voxels, and those of it that a file holds.
type grid struct {
	dims   [3]int
	affine [3][4]float64
	voxels [][3]int
}

// xml describes vertices 0 to n-1 of a surface of size vertices, and two structures that have half of the voxels each.
func (g *grid) xml(n, size, exponent int) string {
	var b strings.Builder
	b.WriteString(`<MatrixIndicesMap AppliesToMatrixDimension="1" IndicesMapToDataType="CIFTI_INDEX_TYPE_BRAIN_MODELS">`)
	if g.dims != [3]int{} {
		scale := math.Pow10(-3 - exponent)
		fmt.Fprintf(&b, `<Volume VolumeDimensions="%d,%d,%d"><TransformationMatrixVoxelIndicesIJKtoXYZ MeterExponent="%d">`, g.dims[0], g.dims[1],
			g.dims[2], exponent)
		for _, row := range g.affine {
			fmt.Fprintf(&b, "%v %v %v %v\n", row[0]*scale, row[1]*scale, row[2]*scale, row[3]*scale)
		}
		b.WriteString(`0 0 0 1</TransformationMatrixVoxelIndicesIJKtoXYZ></Volume>`)
	}
	fmt.Fprintf(&b, `<BrainModel IndexOffset="0" IndexCount="%d" ModelType="CIFTI_MODEL_TYPE_SURFACE" `+
		`BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT" SurfaceNumberOfVertices="%d"><VertexIndices>`, n, size)
	for v := range n {
		fmt.Fprintf(&b, "%d ", v)
	}
	b.WriteString(`</VertexIndices></BrainModel>`)
	half := len(g.voxels) / 2
	for k, part := range [][][3]int{g.voxels[:half], g.voxels[half:]} {
		fmt.Fprintf(&b, `<BrainModel IndexOffset="%d" IndexCount="%d" ModelType="CIFTI_MODEL_TYPE_VOXELS" `+
			`BrainStructure="CIFTI_STRUCTURE_THALAMUS_%s"><VoxelIndicesIJK>`, n+k*half, len(part), []string{"LEFT", "RIGHT"}[k])
		for _, v := range part {
			fmt.Fprintf(&b, "%d %d %d\n", v[0], v[1], v[2])
		}
		b.WriteString(`</VoxelIndicesIJK></BrainModel>`)
	}
	b.WriteString(`</MatrixIndicesMap>`)
	return b.String()
}

// moved returns the same places in a volume whose axes are flipped, exchanged and longer.
func (g *grid) moved(random *rand.Rand) *grid {
	axes := random.Perm(3)
	m := &grid{voxels: make([][3]int, len(g.voxels))}
	for d := range 3 {
		m.affine[d][3] = g.affine[d][3]
	}
	for c, old := range axes {
		before := random.IntN(9) // voxels more at the beginning
		m.dims[c] = g.dims[old] + before + random.IntN(9)
		way := 1.0
		flip := random.IntN(2) == 1
		if flip {
			way = -1
		}
		for d := range 3 {
			step := g.affine[d][old]
			m.affine[d][c] = way * step
			if flip { // the first voxel is the one that was the last
				m.affine[d][3] += step * float64(m.dims[c]-1-before)
			} else {
				m.affine[d][3] -= step * float64(before)
			}
		}
		for k, v := range g.voxels {
			n := v[old] + before
			if flip {
				n = m.dims[c] - 1 - n
			}
			m.voxels[k][c] = n
		}
	}
	return m
}

const seriesColumns = `<MatrixIndicesMap AppliesToMatrixDimension="0" IndicesMapToDataType="CIFTI_INDEX_TYPE_SERIES" NumberOfSeriesPoints="%d" ` +
	`SeriesExponent="0" SeriesStart="0" SeriesStep="2" SeriesUnit="SECOND"/>`

const labelColumns = `<MatrixIndicesMap AppliesToMatrixDimension="0" IndicesMapToDataType="CIFTI_INDEX_TYPE_LABELS"><NamedMap>` +
	`<MapName>p</MapName><LabelTable>` +
	`<Label Key="0">???</Label><Label Key="1">cortex</Label><Label Key="2">Thalamus_L</Label><Label Key="3">Thalamus_R</Label><Label Key="4">lost</Label>` +
	`</LabelTable></NamedMap></MatrixIndicesMap>`

// thalami returns a grid of 2 mm with voxels at the left and at the right, i to the right.
func thalami() *grid {
	g := &grid{dims: [3]int{91, 109, 91}, affine: [3][4]float64{{2, 0, 0, -90}, {0, 2, 0, -126}, {0, 0, 2, -72}}}
	for _, i := range []int{36, 54} { // x = -18 and 18
		for k := range 8 {
			g.voxels = append(g.voxels, [3]int{i + k%2, 50 + k/2%2, 39 + k/4})
		}
	}
	return g
}

// both returns a dense series of 20 frames in one grid and labels in another, whose voxels are the same in number and order.
func both(series, labels *grid, exponent int) [2]formats.File {
	const vertices, frames = 10, 20
	n := vertices + len(series.voxels)
	x := noise(n, frames, 8).Values
	keys := make([]float64, n)
	for i := range keys {
		switch {
		case i < vertices:
			keys[i] = 1
		case i < vertices+len(series.voxels)/2:
			keys[i] = 2
		default:
			keys[i] = 3
		}
	}
	return [2]formats.File{niftiOf("s.dtseries.nii", fmt.Sprintf(seriesColumns, frames), series.xml(vertices, 12, -3), n, frames, x),
		niftiOf("a.dlabel.nii", labelColumns, labels.xml(vertices, 12, exponent), n, 1, keys)}
}

func parcellated(t *testing.T, files [2]formats.File) (*Series, []string, error) {
	t.Helper()
	d, err := imaging.ReadCIFTI(files[0])
	if err != nil {
		t.Fatal(err)
	}
	l, err := imaging.ReadCIFTI(files[1])
	if err != nil {
		t.Fatal(err)
	}
	s, _, notes, err := Parcellate(d, l, 0)
	return s, notes, err
}

// Flipped, exchanged and shifted axes of either volume change no region's series.
func TestVoxelsAreMatchedByTheirPlaces(t *testing.T) {
	g := thalami()
	want, notes, err := parcellated(t, both(g, g, -3))
	if err != nil || !slices.Equal(want.Regions, []string{"cortex", "Thalamus_L", "Thalamus_R"}) || len(notes) != 2 {
		t.Fatalf("%+v, %q, %v", want, notes, err)
	}
	random := rand.New(rand.NewPCG(1, 9))
	for range 60 {
		a, b := g.moved(random), g.moved(random)
		got, notes, err := parcellated(t, both(a, b, -3+random.IntN(2)))
		if err != nil || !slices.Equal(got.Values, want.Values) || !slices.Equal(got.Regions, want.Regions) {
			t.Fatalf("%v against %v: %+v, %v", a.affine, b.affine, got, err)
		}
		if a.affine != b.affine && !strings.Contains(strings.Join(notes, "\n"), "matched by their places in mm") {
			t.Errorf("%q", notes)
		}
	}
	// Labels whose i runs to the left, as in FSL: the left stays left.
	las := *g
	las.affine[0] = [4]float64{-2, 0, 0, 90}
	las.voxels = nil
	for _, v := range g.voxels {
		las.voxels = append(las.voxels, [3]int{90 - v[0], v[1], v[2]})
	}
	if got, _, err := parcellated(t, both(g, &las, -3)); err != nil || !slices.Equal(got.Values, want.Values) {
		t.Errorf("%v, %v", got, err)
	}
	// Finer labels: the voxel that contains the centre.
	fine := *g
	fine.dims = [3]int{182, 218, 182}
	fine.affine = [3][4]float64{{1, 0, 0, -90}, {0, 1, 0, -126}, {0, 0, 1, -72}}
	fine.voxels = nil
	for _, v := range g.voxels {
		fine.voxels = append(fine.voxels, [3]int{2 * v[0], 2 * v[1], 2 * v[2]})
	}
	if got, _, err := parcellated(t, both(g, &fine, -3)); err != nil || !slices.Equal(got.Values, want.Values) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSpacesThatDoNotFit(t *testing.T) {
	g := thalami()
	elsewhere, between, nowhere := *g, *g, *g
	elsewhere.affine[1][3] += 60
	between.affine[2][3]++ // by half a voxel
	nowhere.dims = [3]int{}
	for what, c := range map[string]struct {
		labels *grid
		want   string
	}{
		"elsewhere": {&elsewhere, "s.dtseries.nii: Volume: found voxels none of which a.dlabel.nii labels, in a space of 91 x 109 x 91 voxels of 2 x 2 x 2 mm, " +
			"the first at -90, -126, -72 mm, i to the right, j to the front, k up, expected the space of a.dlabel.nii: 91 x 109 x 91 voxels of " +
			"2 x 2 x 2 mm, the first at -90, -66, -72 mm"},
		"between": {&between, "s.dtseries.nii: Volume: found voxels none of which a.dlabel.nii labels"},
		"nowhere": {&nowhere, "a.dlabel.nii: Volume: found voxels without a description of their space"},
	} {
		if _, _, err := parcellated(t, both(g, c.labels, -3)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	files := both(g, g, -3)
	label := &files[1]
	label.Data = []byte(strings.ReplaceAll(string(label.Data), `NumberOfVertices="12"`, `NumberOfVertices="13"`))
	if _, _, err := parcellated(t, files); err == nil || !strings.Contains(err.Error(), "CORTEX_LEFT: found a surface of 12 vertices, expected 13") {
		t.Error(err)
	}
}

// Grayordinates and labels without data are left out of means and of the regions, in the table of regions, too.
func TestParcellateWithoutData(t *testing.T) {
	g := thalami()
	files := both(g, g, -3)
	dense := files[0]
	d, err := imaging.ReadCIFTI(dense)
	if err != nil {
		t.Fatal(err)
	}
	at := len(dense.Data) - 8*20*d.Rows.Len
	row := make([]float64, 20)
	whole, _, err := parcellated(t, files)
	if err != nil {
		t.Fatal(err)
	}
	set := func(row int, v float64) {
		for k := range 20 {
			binary.LittleEndian.PutUint64(dense.Data[at+8*(20*row+k):], math.Float64bits(v))
		}
	}
	for row := 18; row < 26; row++ {
		set(row, 0) // Thalamus_R
	}
	set(3, math.NaN())
	regions := file("regions.csv", "name,network\nThalamus_R,B\nThalamus_L,B\nlost,B\ncortex,A\n")
	in, err := Open([]formats.File{dense, files[1], regions}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.Row(row, 3)
	if !slices.Equal(in.Series.Regions, []string{"Thalamus_L", "cortex"}) || !slices.Equal(in.Series.Row(0), whole.Row(1)) ||
		!slices.Equal(in.Atlas.Names, in.Series.Regions) || fmt.Sprint(in.Atlas.Network) != "[0 1]" || !slices.Equal(in.Without, []string{"lost", "Thalamus_R"}) {
		t.Errorf("%q, %+v, without %q", in.Series.Regions, in.Atlas, in.Without)
	}
	for k, v := range in.Series.Row(1) { // the mean of nine vertices instead of ten
		nine := 0.0
		for i := range 10 {
			if i != 3 {
				d.Row(row, i)
				nine += row[k]
			}
		}
		near(t, "a mean", v, nine/9, 1e-12)
	}
	notes := strings.Join(in.Notes, "\n")
	for _, want := range []string{"1 grayordinate without a single value", `left out: "lost"`, "1 region without data left out: region 3 (Thalamus_R)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q, without %s", notes, want)
		}
	}
}
