package imaging

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A Volume is the grid of voxels: how many there are along each axis, and where.
type Volume struct {
	Dims   [3]int
	Affine [3][4]float64 // x (right), y (front), z (up) in mm are it times i, j, k, 1
}

// At returns the centre of a voxel, in mm.
func (v *Volume) At(i, j, k int32) (p [3]float64) {
	for d, row := range v.Affine {
		p[d] = float64(row[0]*float64(i)) + float64(row[1]*float64(j)) + float64(row[2]*float64(k)) + row[3]
	}
	return p
}

// Inverse returns the map from mm to i, j, k: the reverse of Affine.
func (v *Volume) Inverse() (r [3][4]float64) {
	a := &v.Affine
	det := v.determinant()
	for i := range 3 {
		for j := range 3 {
			// The cofactor of a[j][i].
			j1, j2, i1, i2 := (j+1)%3, (j+2)%3, (i+1)%3, (i+2)%3
			r[i][j] = (float64(a[j1][i1]*a[j2][i2]) - float64(a[j1][i2]*a[j2][i1])) / det
		}
		for j := range 3 {
			r[i][3] -= float64(r[i][j] * a[j][3])
		}
	}
	return r
}

func (v *Volume) determinant() float64 {
	a, det := &v.Affine, 0.0
	for j := range 3 {
		j1, j2 := (j+1)%3, (j+2)%3
		det += float64(a[0][j] * (float64(a[1][j1]*a[2][j2]) - float64(a[1][j2]*a[2][j1])))
	}
	return det
}

// String describes the space: "91 x 109 x 91 voxels of 2 x 2 x 2 mm, the first at 90, -126, -72 mm, i to the left,
// j to the front, k up".
func (v *Volume) String() string {
	var size, ways [3]string
	names := [3][2]string{{"left", "right"}, {"back", "front"}, {"down", "up"}}
	for c := range 3 {
		length, most := 0.0, 0
		for d := range 3 {
			length = math.Hypot(length, v.Affine[d][c])
			if math.Abs(v.Affine[d][c]) > math.Abs(v.Affine[most][c]) {
				most = d
			}
		}
		side := 0
		if v.Affine[most][c] > 0 {
			side = 1
		}
		way := names[most][side]
		if most < 2 {
			way = "to the " + way
		}
		size[c], ways[c] = fmt.Sprintf("%.4g", length), "ijk"[c:c+1]+" "+way
	}
	return fmt.Sprintf("%d x %d x %d voxels of %s mm, the first at %.6g, %.6g, %.6g mm, %s", v.Dims[0], v.Dims[1], v.Dims[2], strings.Join(size[:], " x "),
		v.Affine[0][3], v.Affine[1][3], v.Affine[2][3], strings.Join(ways[:], ", "))
}

// volume reads a Volume element.
func (p *xmlParser) volume(t *xml.Token, m *CIFTIMap) error {
	if m.Volume != nil {
		return p.bad("Volume", "a second one", "one")
	}
	v := &Volume{}
	dims, _ := t.Attr("VolumeDimensions")
	words := strings.FieldsFunc(dims, func(r rune) bool { return r == ',' || r <= ' ' })
	for k, word := range words {
		n, rest := wholeNumber([]byte(word))
		if len(words) != 3 || n < 1 || n > math.MaxInt32 || len(rest) > 0 {
			words = nil
			break
		}
		v.Dims[k] = n
	}
	if len(words) != 3 {
		return p.bad("VolumeDimensions", input.Quote(dims), "three whole numbers >= 1")
	}
	transformed := false
	err := p.children(func(t *xml.Token) error {
		if t.Name != "TransformationMatrixVoxelIndicesIJKtoXYZ" {
			return nil
		}
		transformed = true
		return p.affine(t, v)
	})
	if err == nil && !transformed {
		err = p.bad("Volume", "no TransformationMatrixVoxelIndicesIJKtoXYZ", "it: where voxels lie")
	}
	m.Volume = v
	return err
}

// affine reads how i, j, k lead to x, y, z.
func (p *xmlParser) affine(t *xml.Token, v *Volume) error {
	const field = "TransformationMatrixVoxelIndicesIJKtoXYZ"
	exponent, ok := t.Attr("MeterExponent")
	if !ok {
		exponent = "-3"
	}
	scale, ok := parseNumber("1e" + exponent)
	if scale = float64(scale * 1000); !ok || scale == 0 || math.IsInf(scale, 0) { // mm
		return p.bad("MeterExponent", input.Quote(exponent), "a whole number, such as -3 for mm")
	}
	if math.Abs(scale-1) < 1e-9 {
		scale = 1
	}
	text, err := p.xml.Content()
	if err != nil {
		return err
	}
	words := strings.Fields(string(text))
	var last [4]float64
	for k := 0; k < len(words) && k < 16; k++ {
		x, ok := parseNumber(words[k])
		if x = float64(x * scale); !ok || math.IsInf(x, 0) {
			return p.bad(field, input.Quote(words[k]), "finite numbers")
		}
		if k < 12 {
			v.Affine[k/4][k%4] = x
		} else {
			last[k-12] = x / scale
		}
	}
	if len(words) != 16 || last != [4]float64{0, 0, 0, 1} {
		return p.bad(field, fmt.Sprintf("%d numbers, the last of them %v", len(words), last), "16, the last of them [0 0 0 1]")
	}
	if det := v.determinant(); !(math.Abs(det) > 1e-12) || math.IsInf(det, 0) {
		return p.bad(field, "axes that lie in one plane", "three directions")
	}
	return nil
}

// inside checks that voxels are in the volume.
func (p *xmlParser) inside(m *CIFTIMap) error {
	if m.Volume == nil {
		return nil
	}
	for i := range m.Models {
		if model := &m.Models[i]; model.Voxels {
			for n, x := range model.Index {
				if d := m.Volume.Dims[n%3]; int(x) >= d {
					return diag.At(p.file, 0, "voxels of "+model.Structure, fmt.Sprintf("the voxel %v", model.Index[n-n%3:n-n%3+3]),
						fmt.Sprintf("numbers below %v, the dimensions of the volume", m.Volume.Dims))
				}
			}
		}
	}
	return nil
}
