package imaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// A niftiHead is the description of the data in the header of a NIfTI-2 file.
type niftiHead struct {
	order            binary.ByteOrder
	dims             []int // sizes of the dimensions
	entry            variable.DType
	slope, intercept float64
	data             []byte // of the right length for dims and entry
	xml              []byte // the CIFTI extension; nil when there is none
}

// niftiTypes are NIfTI's data types. Values are read as float64.
var niftiTypes = map[int]string{2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 256: "i1", 512: "u2", 768: "u4"}

const ciftiCode = 32 // of the header extension that holds CIFTI's XML

// niftiHeader reads the header of a NIfTI-2 file and finds its data.
func niftiHeader(file string, data []byte) (*niftiHead, error) {
	bad := func(field, found, expected string) (*niftiHead, error) {
		return nil, diag.At(file, 0, field, found, expected)
	}
	const size1, size2 = 348, 540
	h := &niftiHead{}
	switch {
	case len(data) >= 4 && binary.LittleEndian.Uint32(data) == size2:
		h.order = binary.LittleEndian
	case len(data) >= 4 && binary.BigEndian.Uint32(data) == size2:
		h.order = binary.BigEndian
	case len(data) >= 4 && (binary.LittleEndian.Uint32(data) == size1 || binary.BigEndian.Uint32(data) == size1):
		return bad("", "a NIfTI-1 image", input.WantCIFTI+"; an image of voxels has to be averaged over regions first")
	default:
		return bad("", "a file that does not begin as NIfTI-2 files do", input.WantCIFTI)
	}
	if len(data) < size2+4 {
		return bad("", "a file cut off in its header", "a complete file")
	}
	if !bytes.Equal(data[4:12], []byte("n+2\x00\r\n\x1a\n")) {
		return bad("magic", input.Quote(string(data[4:12])), `"n+2\x00\r\n\x1a\n"; a file sent as text is damaged`)
	}
	whole := func(at int) int64 { return int64(h.order.Uint64(data[at:])) }
	dtype := int(int16(h.order.Uint16(data[12:])))
	var known bool
	if h.entry, known = variable.ParseDtype(niftiTypes[dtype]); !known {
		return bad("datatype", fmt.Sprint(dtype), "2, 4, 8, 16, 64, 256, 512 or 768: whole or real numbers of at most 64 bits")
	}
	h.entry.Big = h.order == binary.BigEndian
	width, n := h.entry.Width, whole(16)
	if n < 1 || n > 7 {
		return bad("dim[0]", fmt.Sprint(n), "1 to 7 dimensions")
	}
	offset := whole(168)
	if offset < size2+4 || offset > int64(len(data)) {
		return bad("vox_offset", fmt.Sprint(offset), fmt.Sprintf("%d to %d, the end of the file", size2+4, len(data)))
	}
	// The number of values is compared with the bytes there are before it can overflow.
	have, values := (len(data)-int(offset))/width, 1
	for k := range int(n) {
		d := whole(24 + 8*k)
		if d < 1 || d > int64(have/values) {
			return bad(fmt.Sprintf("dim[%d]", k+1), fmt.Sprint(d),
				fmt.Sprintf("at least 1 and no more than fit into the %s of data", figure.Count(len(data)-int(offset), "byte")))
		}
		h.dims = append(h.dims, int(d))
		values *= int(d)
	}
	h.data = data[offset : int(offset)+values*width]
	h.slope, h.intercept = math.Float64frombits(h.order.Uint64(data[176:])), math.Float64frombits(h.order.Uint64(data[184:]))
	if h.slope == 0 {
		h.slope, h.intercept = 1, 0 // the format's word for "not scaled"
	}
	if sum := h.slope + h.intercept; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return bad("scl_slope", fmt.Sprint(h.slope, " and ", h.intercept), "finite numbers")
	}
	extensions := data[size2+4 : offset]
	for data[size2] != 0 && len(extensions) >= 8 {
		n := int64(int32(h.order.Uint32(extensions)))
		if n < 8 || n > int64(len(extensions)) {
			return bad("esize", fmt.Sprint(n), fmt.Sprintf("8 to %d, where the data begin", len(extensions)))
		}
		if h.order.Uint32(extensions[4:]) == ciftiCode {
			h.xml = extensions[8:n]
			break
		}
		extensions = extensions[n:]
	}
	return h, nil
}

// decode reads len(dst) values from value number first on.
func (h *niftiHead) decode(dst []float64, first int) {
	for i := range dst {
		dst[i] = h.entry.Number(h.data[(first+i)*h.entry.Width:])
	}
	if h.slope != 1 || h.intercept != 0 {
		for i := range dst {
			dst[i] = float64(dst[i]*h.slope) + h.intercept
		}
	}
}
