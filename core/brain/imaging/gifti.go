package imaging

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A GIFTI is a GIFTI file: arrays that belong to the vertices of a surface.
type GIFTI struct {
	Name   string
	Arrays []GIFTIArray
	Labels map[int]string // names of the keys that an array of labels holds; nil if there are none
}

// A GIFTIArray is one array of a GIFTI file.
type GIFTIArray struct {
	Intent string    // without NIFTI_INTENT_: "POINTSET", "TRIANGLE", "LABEL", "SHAPE", ...
	Name   string    // of the array's metadata; may be ""
	Array  npy.Array // of uint8, int32 or float32
}

// A Surface is a triangle mesh in space.
type Surface struct {
	Vertices  []float32 // x, y, z of each, in mm
	Triangles []int32   // three vertices each, from 0
}

// Surface returns the file's mesh: its first point set and triangles.
func (g *GIFTI) Surface() (*Surface, error) {
	bad := func(field, found, expected string) (*Surface, error) {
		return nil, diag.At(g.Name, 0, field, found, expected)
	}
	s := &Surface{}
	for _, a := range g.Arrays {
		three := len(a.Array.Shape) == 2 && a.Array.Shape[1] == 3
		switch x := a.Array.Data.(type) {
		case []float32:
			if a.Intent == "POINTSET" && s.Vertices == nil && three {
				s.Vertices = x
			}
		case []int32:
			if a.Intent == "TRIANGLE" && s.Triangles == nil && three {
				s.Triangles = x
			}
		}
	}
	if s.Vertices == nil || s.Triangles == nil {
		return bad("", "no mesh", "a POINTSET of N x 3 real numbers and TRIANGLEs of N x 3 whole ones")
	}
	for _, v := range s.Vertices {
		if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
			return bad("POINTSET", fmt.Sprint(v), "finite numbers")
		}
	}
	for _, v := range s.Triangles {
		if v < 0 || int(v) >= len(s.Vertices)/3 {
			return bad("TRIANGLE", fmt.Sprintf("vertex %d", v), fmt.Sprintf("0 to %d", len(s.Vertices)/3-1))
		}
	}
	return s, nil
}

// ReadGIFTI reads a GIFTI file with arrays in text, base64 or compressed base64. The error
// is a [*diag.Error].
func ReadGIFTI(f input.File) (*GIFTI, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "a GIFTI file")
	if err != nil {
		return nil, err
	}
	g := &GIFTI{Name: f.Name}
	r, err := xml.NewReader(data)
	if err == nil {
		err = g.read(&xmlParser{file: f.Name, xml: r})
	}
	if err != nil {
		return nil, input.XMLError(f.Name, "XML", err)
	}
	return g, nil
}

func (g *GIFTI) read(p *xmlParser) error {
	t, err := p.xml.Next()
	for err == nil && t.Kind != xml.Start && t.Kind != xml.EOF {
		t, err = p.xml.Next()
	}
	if err != nil {
		return err
	}
	if t.Name != "GIFTI" {
		return p.bad("XML", "<"+t.Name+">", "<GIFTI>")
	}
	return p.children(func(t *xml.Token) error {
		switch t.Name {
		case "LabelTable":
			return p.children(func(t *xml.Token) error {
				if g.Labels == nil {
					g.Labels = map[int]string{}
				}
				return readLabel(p.xml, t, g.Labels)
			})
		case "DataArray":
			a, err := p.array(t)
			if err == nil {
				g.Arrays = append(g.Arrays, *a)
			}
			return err
		}
		return nil
	})
}

// giftiTypes are the types of entries, with NumPy's names for them.
var giftiTypes = map[string]string{"NIFTI_TYPE_UINT8": "u1", "NIFTI_TYPE_INT32": "i4", "NIFTI_TYPE_FLOAT32": "f4"}

// array reads a DataArray element.
func (p *xmlParser) array(t *xml.Token) (*GIFTIArray, error) {
	attr := func(name string) string { s, _ := t.Attr(name); return s }
	a := &GIFTIArray{Intent: strings.TrimPrefix(attr("Intent"), "NIFTI_INTENT_")}
	kind, encoding := attr("DataType"), attr("Encoding")
	dtype := giftiTypes[kind]
	if dtype == "" {
		return nil, p.bad(a.Intent+" DataType", input.Quote(kind), "NIFTI_TYPE_UINT8, NIFTI_TYPE_INT32 or NIFTI_TYPE_FLOAT32")
	}
	width := int(dtype[1] - '0')
	dims, err := p.number(t, "Dimensionality", 1)
	if err != nil {
		return nil, err
	}
	const most = 6 // dimensions, as in the format
	if dims > most {
		return nil, p.bad(a.Intent+" Dimensionality", fmt.Sprint(dims), fmt.Sprintf("1 to %d", most))
	}
	n := 1
	for k := range dims {
		d, err := p.number(t, fmt.Sprintf("Dim%d", k), 1)
		if err != nil {
			return nil, err
		}
		if d > input.MaxArrays/(n*width) {
			return nil, p.bad(a.Intent+" Dim", fmt.Sprint(d), "an array of at most "+input.Size(input.MaxArrays))
		}
		a.Array.Shape = append(a.Array.Shape, d)
		n *= d
	}
	if attr("Endian") == "BigEndian" && encoding != "ASCII" {
		dtype = ">" + dtype
	}
	columnMajor := attr("ArrayIndexingOrder") == "ColumnMajorOrder"
	found := false
	err = p.children(func(t *xml.Token) error {
		switch {
		case t.Name == "MetaData":
			return p.children(func(t *xml.Token) error { return p.named(&a.Name) })
		case t.Name != "Data" || found:
			return nil
		}
		found = true
		text, err := p.xml.Content()
		if err != nil {
			return err
		}
		var raw []byte
		if encoding != "ASCII" {
			raw, err = p.unpack(a.Intent, text, encoding, n*width)
		} else if x, e := p.numbers(a.Intent, text, n, kind); e == nil {
			_, raw = npy.Encode(x)
		} else {
			err = e
		}
		if err != nil {
			return err
		}
		if columnMajor && dims > 1 {
			raw = npy.RowMajor(raw, width, a.Array.Shape)
		}
		a.Array.Data = npy.Decode(dtype, raw)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, p.bad(a.Intent, "an array without <Data>", "its values")
	}
	return a, nil
}

// named reads a metadata entry and keeps the value of the one called Name.
func (p *xmlParser) named(name *string) error {
	key := ""
	return p.children(func(t *xml.Token) error {
		isKey, isValue := t.Name == "Name", t.Name == "Value"
		if !isKey && !isValue {
			return nil
		}
		text, err := p.xml.Content()
		if isKey {
			key = string(text)
		} else if key == "Name" {
			*name = string(text)
		}
		return err
	})
}

// numbers reads n numbers in text.
func (p *xmlParser) numbers(intent string, text []byte, n int, kind string) (any, error) {
	var x []float32
	var whole []int32
	for w := range bytes.FieldsSeq(text) {
		v, ok := parseNumber(string(w))
		if kind != "NIFTI_TYPE_FLOAT32" && (v != math.Trunc(v) || math.Abs(v) > math.MaxInt32) {
			ok = false
		}
		if !ok {
			return nil, p.bad(intent, input.Quote(string(w)), "numbers of its type")
		}
		x, whole = append(x, float32(v)), append(whole, int32(v))
	}
	if len(x) != n {
		return nil, p.bad(intent, figure.Count(len(x), "number"), fmt.Sprintf("%d as its shape says", n))
	}
	switch kind {
	case "NIFTI_TYPE_FLOAT32":
		return x, nil
	case "NIFTI_TYPE_INT32":
		return whole, nil
	}
	bytes := make([]uint8, n)
	for i, v := range whole {
		if v < 0 || v > 255 {
			return nil, p.bad(intent, fmt.Sprint(v), "0 to 255")
		}
		bytes[i] = uint8(v)
	}
	return bytes, nil
}

// unpack returns the want bytes of an array in base64, compressed or not. It allocates for
// what there is, not for what is claimed.
func (p *xmlParser) unpack(intent string, text []byte, encoding string, want int) ([]byte, error) {
	if encoding != "Base64Binary" && encoding != "GZipBase64Binary" {
		return nil, p.bad(intent+" Encoding", input.Quote(encoding), "ASCII, Base64Binary or GZipBase64Binary; values in another file are not read")
	}
	packed := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(packed, text)
	if err != nil {
		return nil, p.bad(intent, "data that are not base64", encoding)
	}
	packed = packed[:n]
	if encoding == "Base64Binary" {
		if n != want {
			return nil, p.bad(intent, figure.Count(n, "byte")+" of data", fmt.Sprintf("%d as its shape says", want))
		}
		return packed, nil
	}
	source, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, p.bad(intent, "data that are not compressed", encoding)
	}
	const ratio, slack = 8, 16 << 20 // of unpacked to packed bytes; surfaces have about 2
	if want > ratio*len(text)+slack {
		return nil, p.bad(intent, fmt.Sprintf("a shape of %s in %s", figure.Count(want, "byte"), figure.Count(len(text), "byte")), "data that fit")
	}
	raw, err := io.ReadAll(io.LimitReader(source, int64(want)+1))
	switch {
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, p.bad(intent, "damaged data", encoding)
	case len(raw) > want:
		return nil, p.bad(intent, "more data", figure.Count(want, "byte")+" as its shape says")
	case len(raw) < want:
		return nil, p.bad(intent, figure.Count(len(raw), "byte")+" of data", fmt.Sprintf("%d as its shape says", want))
	}
	return raw, nil
}
