package imaging

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

const (
	voxels = `<MatrixIndicesMap AppliesToMatrixDimension="1" IndicesMapToDataType="CIFTI_INDEX_TYPE_BRAIN_MODELS">
<Volume VolumeDimensions="91, 109,91"><TransformationMatrixVoxelIndicesIJKtoXYZ MeterExponent="-3">-2 0 0 90
0 2 0 -126
0 0 2.5e0 -72
0 0 0 1</TransformationMatrixVoxelIndicesIJKtoXYZ></Volume>
<BrainModel IndexOffset="0" IndexCount="2" ModelType="CIFTI_MODEL_TYPE_VOXELS" BrainStructure="CIFTI_STRUCTURE_THALAMUS_LEFT">
<VoxelIndicesIJK>40 50 39
90 108 90</VoxelIndicesIJK></BrainModel></MatrixIndicesMap>`
)

func ofVoxels(t *testing.T, edit ...string) (*CIFTI, error) {
	t.Helper()
	parcels := formatstest.ParcelMap
	changed := strings.NewReplacer(edit...).Replace(voxels)
	text := strings.Replace(formatstest.Small2x3, parcels, changed, 1)
	return ReadCIFTI(input.File{Name: "a.nii", Data: formatstest.NIFTI(binary.LittleEndian, text, []int{1, 1, 1, 1, 3, 2}, []float32{1, 2, 3, 4, 5, 6})})
}

func TestVolume(t *testing.T) {
	for exponent, scale := range map[string]float64{"-3": 1, "-6": 1e-3, "0": 1e3} {
		c, err := ofVoxels(t, `MeterExponent="-3"`, `MeterExponent="`+exponent+`"`)
		if err != nil {
			t.Fatal(err)
		}
		v := c.Rows.Volume
		p := v.At(40, 50, 39)
		for d, want := range []float64{10, -26, 25.5} {
			if !(math.Abs(p[d]-want*scale) <= 1e-9*scale) {
				t.Errorf("%s: %v", exponent, p)
			}
		}
		inverse := v.Inverse()
		for d, want := range []float64{40, 50, 39} {
			at := inverse[d][3]
			for k, x := range p {
				at += inverse[d][k] * x
			}
			if !(math.Abs(at-want) <= 1e-9) {
				t.Errorf("%s: the way back leads to %v, not to %v", exponent, at, want)
			}
		}
		if exponent == "-3" {
			const want = "91 x 109 x 91 voxels of 2 x 2 x 2.5 mm, the first at 90, -126, -72 mm, i to the left, j to the front, k up"
			if v.String() != want {
				t.Errorf("%v", v)
			}
		}
	}
	for want, edit := range map[string][]string{
		`a.nii: VolumeDimensions: found "91,109", expected three whole numbers >= 1`:                                      {"91, 109,91", "91,109"},
		`a.nii: VolumeDimensions: found "91,109,91,2", expected three whole numbers >= 1`:                                 {"91, 109,91", "91,109,91,2"},
		`a.nii: VolumeDimensions: found "91,0,91", expected three whole numbers >= 1`:                                     {"91, 109,91", "91,0,91"},
		"a.nii: voxels of THALAMUS_LEFT: found the voxel [90 108 90], expected numbers below [91 108 91], the dimensions": {"91, 109,91", "91,108,91"},
		`a.nii: MeterExponent: found "three", expected a whole number`:                                                    {`"-3"`, `"three"`},
		`a.nii: TransformationMatrixVoxelIndicesIJKtoXYZ: found "up", expected finite numbers`:                            {"2.5e0", "up"},
		"a.nii: TransformationMatrixVoxelIndicesIJKtoXYZ: found 15 numbers":                                               {"2.5e0", ""},
		"a.nii: TransformationMatrixVoxelIndicesIJKtoXYZ: found 16 numbers, the last of them [0 0 0 2]":                   {"0 0 0 1", "0 0 0 2"},
		"a.nii: TransformationMatrixVoxelIndicesIJKtoXYZ: found axes that lie in one plane":                               {"2.5e0", "0"},
		"a.nii: Volume: found no TransformationMatrix":                                                                    {"TransformationMatrix", "Other"},
	} {
		if _, err := ofVoxels(t, edit...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// The volume of real labels is that of MNI152 at 2 mm, i to the left.
func TestVolumeOfARealFile(t *testing.T) {
	c, err := ReadCIFTI(real(t, "cifti/Glasser360Indices_LR.dscalar.nii"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "91 x 109 x 91 voxels of 2 x 2 x 2 mm, the first at 90, -126, -72 mm, i to the left, j to the front, k up"
	if c.Rows.Volume == nil || c.Rows.Volume.String() != want {
		t.Errorf("%v", c.Rows.Volume)
	}
	for _, m := range c.Rows.Models {
		if m.Structure == "THALAMUS_LEFT" && c.Rows.Volume.At(m.Index[0], m.Index[1], m.Index[2])[0] >= 0 {
			t.Error("the left thalamus lies at the right")
		}
	}
}
