// Package imaging reads what neuroimaging writes: matrices over regions, vertices and voxels
// ([ReadCIFTI]), and surfaces ([ReadGIFTI]). Errors are of type [*cadem.example/core/base/diag.Error].
package imaging

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A CIFTI is a CIFTI-2 file: a matrix whose two directions are described. Its values stay
// as the file holds them, which for a dense series is most of the memory it takes.
type CIFTI struct {
	Name    string
	Rows    CIFTIMap // what the rows are: dimension 1 of the file
	Columns CIFTIMap // what the columns are: dimension 0 of the file, which runs fastest

	head *niftiHead
}

// Kinds of a direction of a CIFTI file.
const (
	CIFTISeries  = "series"       // points in time
	CIFTIParcels = "parcels"      // named regions
	CIFTIDense   = "brain models" // vertices and voxels, one by one
	CIFTIScalars = "scalars"      // named maps
	CIFTILabels  = "labels"       // named maps whose values are keys of a label table
)

// A CIFTIMap describes one direction of a CIFTI matrix.
type CIFTIMap struct {
	Kind    string           // one of the above
	Len     int              // number of rows or columns
	Names   []string         // of parcels or maps
	Step    float64          // of a series, in seconds; 0 when it has no step in time
	Models  []BrainModel     // of brain models, in the order of the rows or columns
	Volume  *Volume          // that contains the voxels; nil when the file describes none
	Parcels [][]BrainModel   // of each parcel, its parts
	Labels  []map[int]string // of each map of labels, names by key
}

// A BrainModel lists vertices of one surface, or voxels of one structure.
type BrainModel struct {
	Structure string  // "CORTEX_LEFT"
	Voxels    bool    // Index holds i, j, k of each voxel rather than a number of each vertex
	Surface   int     // vertices of the whole surface; 0 for voxels
	Offset    int     // first row or column; 0 in a parcel
	Index     []int32 // from 0
}

// Count returns the number of vertices or voxels.
func (m *BrainModel) Count() int {
	if m.Voxels {
		return len(m.Index) / 3
	}
	return len(m.Index)
}

// Row writes row i of the matrix to dst, one entry for each column. It panics with [npy.ErrShape] if there is no such row.
func (c *CIFTI) Row(dst []float64, i int) {
	npy.ErrShape.Unless(len(dst) == c.Columns.Len && i >= 0 && i < c.Rows.Len)
	c.head.decode(dst, i*c.Columns.Len)
}

// Type returns the usual ending of such a file without ".nii", such as "ptseries"; "" for
// an unusual one.
func (c *CIFTI) Type() string {
	switch c.Columns.Kind + " of " + c.Rows.Kind {
	case "series of parcels":
		return "ptseries"
	case "series of brain models":
		return "dtseries"
	case "parcels of parcels":
		return "pconn"
	case "brain models of brain models":
		return "dconn"
	case "scalars of parcels":
		return "pscalar"
	case "scalars of brain models":
		return "dscalar"
	case "labels of brain models":
		return "dlabel"
	case "labels of parcels":
		return "plabel"
	}
	return ""
}

// ReadCIFTI reads a CIFTI-2 file, of either byte order. The error is a [*diag.Error].
func ReadCIFTI(f input.File) (*CIFTI, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "a CIFTI file")
	if err != nil {
		return nil, err
	}
	h, err := niftiHeader(f.Name, data)
	if err != nil {
		return nil, err
	}
	if h.xml == nil {
		return nil, diag.At(f.Name, 0, "", "a NIfTI-2 image without a CIFTI extension", input.WantCIFTI)
	}
	c := &CIFTI{Name: f.Name, head: h}
	p := &xmlParser{file: f.Name}
	if p.xml, err = xml.NewReader(h.xml); err == nil {
		err = p.document(c)
	}
	if err != nil {
		return nil, input.XMLError(f.Name, "XML", err)
	}
	if d := h.dims; len(d) != 6 || d[0] != 1 || d[1] != 1 || d[2] != 1 || d[3] != 1 {
		return nil, diag.At(f.Name, 0, "dim", fmt.Sprint(d), "[1 1 1 1 columns rows]")
	}
	for k, m := range []*CIFTIMap{&c.Columns, &c.Rows} {
		field := fmt.Sprintf("dimension %d", k)
		if m.Kind == "" {
			return nil, diag.At(f.Name, 0, field, "no description", "a MatrixIndicesMap")
		}
		if d := h.dims[4+k]; d != m.Len {
			return nil, diag.At(f.Name, 0, field+" ("+m.Kind+")", fmt.Sprintf("%d in the header and %d described", d, m.Len),
				"the same number")
		}
	}
	return c, nil
}

func (p *xmlParser) document(c *CIFTI) error {
	t, err := p.xml.Next()
	for err == nil && t.Kind != xml.Start {
		t, err = p.xml.Next()
	}
	if err != nil {
		return err
	}
	version, _ := t.Attr("Version")
	switch {
	case t.Name != "CIFTI":
		return p.bad("XML", "<"+t.Name+">", "<CIFTI>")
	case version == "1" || version == "1.0":
		return p.bad("", "a CIFTI-1 file, in which the dimensions are the other way round",
			"CIFTI-2: wb_command -file-convert -cifti-version-convert OLD 2 NEW makes one")
	case version != "2" && version != "2.0":
		return p.bad("Version", input.Quote(version), "2")
	}
	return p.children(func(t *xml.Token) error {
		if t.Name != "Matrix" {
			return nil
		}
		return p.children(func(t *xml.Token) error {
			if t.Name != "MatrixIndicesMap" {
				return nil
			}
			to, _ := t.Attr("AppliesToMatrixDimension")
			m, err := p.indices(t)
			if err != nil {
				return err
			}
			for dimension := range strings.SplitSeq(to, ",") {
				into := map[string]*CIFTIMap{"0": &c.Columns, "1": &c.Rows}[strings.TrimSpace(dimension)]
				if into == nil || into.Kind != "" {
					return p.bad("AppliesToMatrixDimension", input.Quote(to), "0, 1 or both, each once")
				}
				*into = *m
			}
			return nil
		})
	})
}

// indices reads a MatrixIndicesMap.
func (p *xmlParser) indices(t *xml.Token) (*CIFTIMap, error) {
	kind, _ := t.Attr("IndicesMapToDataType")
	m := &CIFTIMap{}
	switch kind {
	case "CIFTI_INDEX_TYPE_SERIES":
		m.Kind = CIFTISeries
		return m, p.series(t, m)
	case "CIFTI_INDEX_TYPE_PARCELS":
		m.Kind = CIFTIParcels
		err := p.parcels(m)
		m.Len = len(m.Parcels)
		return m, err
	case "CIFTI_INDEX_TYPE_BRAIN_MODELS":
		m.Kind = CIFTIDense
		if err := p.models(m); err != nil {
			return nil, err
		}
		return m, p.inside(m)
	case "CIFTI_INDEX_TYPE_SCALARS", "CIFTI_INDEX_TYPE_LABELS":
		m.Kind = CIFTIScalars
		if kind == "CIFTI_INDEX_TYPE_LABELS" {
			m.Kind = CIFTILabels
		}
		err := p.maps(m)
		m.Len = len(m.Names)
		return m, err
	}
	return nil, p.bad("IndicesMapToDataType", input.Quote(kind), "CIFTI_INDEX_TYPE_SERIES, PARCELS, BRAIN_MODELS, SCALARS or LABELS")
}

func (p *xmlParser) series(t *xml.Token, m *CIFTIMap) error {
	var err error
	if m.Len, err = p.number(t, "NumberOfSeriesPoints", 1); err != nil {
		return err
	}
	if unit, _ := t.Attr("SeriesUnit"); unit != "SECOND" {
		return nil
	}
	word, _ := t.Attr("SeriesStep")
	step, ok := parseNumber(word)
	if !ok || step < 0 {
		return p.bad("SeriesStep", input.Quote(word), "a number >= 0")
	}
	// A division by a power of ten is exact where a product with 1e-3 is not.
	exponent, _ := t.Attr("SeriesExponent")
	scale, ok := parseNumber("1e" + strings.TrimPrefix(exponent, "-"))
	if !ok {
		return p.bad("SeriesExponent", input.Quote(exponent), "a whole number")
	}
	if strings.HasPrefix(exponent, "-") {
		m.Step = step / scale
	} else {
		m.Step = float64(step * scale)
	}
	if math.IsInf(m.Step, 0) {
		return p.bad("SeriesExponent", input.Quote(exponent), "a step that is finite")
	}
	return nil
}

// list reads an element of whole numbers, a multiple of width of them.
func (p *xmlParser) list(what string, width int) ([]int32, error) {
	text, err := p.xml.Content()
	if err != nil {
		return nil, err
	}
	var list []int32
	for len(text) > 0 {
		n, rest := wholeNumber(text)
		if n < 0 || n > math.MaxInt32 {
			return nil, p.bad(what, input.Quote(string(text[:min(len(text), 20)])), "whole numbers >= 0")
		}
		list = append(list, int32(n))
		text = rest
		for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
			text = text[1:]
		}
		if len(text) > 0 && len(text) == len(rest) {
			return nil, p.bad(what, input.Quote(string(text[:min(len(text), 20)])), "whole numbers >= 0")
		}
	}
	if len(list)%width != 0 {
		return nil, p.bad(what, figure.Count(len(list), "number"), "three a voxel")
	}
	return list, nil
}

func (p *xmlParser) vertices(structure string, surface int) (BrainModel, error) {
	list, err := p.list("vertices of "+structure, 1)
	if err == nil {
		for _, v := range list {
			if int(v) >= surface {
				return BrainModel{}, p.bad("vertices of "+structure, fmt.Sprint(v), fmt.Sprintf("numbers below %d, the vertices of its surface", surface))
			}
		}
	}
	return BrainModel{Structure: structure, Surface: surface, Index: list}, err
}

func structure(t *xml.Token) string {
	s, _ := t.Attr("BrainStructure")
	return strings.TrimPrefix(s, "CIFTI_STRUCTURE_")
}

func (p *xmlParser) parcels(m *CIFTIMap) error {
	surfaces := map[string]int{}
	return p.children(func(t *xml.Token) (err error) {
		switch t.Name {
		case "Surface":
			surfaces[structure(t)], err = p.number(t, "SurfaceNumberOfVertices", 1)
			return err
		case "Parcel":
			name, _ := t.Attr("Name")
			var parts []BrainModel
			err := p.children(func(t *xml.Token) error {
				var part BrainModel
				var err error
				switch t.Name {
				case "Vertices":
					s := structure(t)
					if surfaces[s] == 0 {
						return p.bad("parcel "+name, "vertices of "+input.Quote(s), "a surface that the file describes")
					}
					part, err = p.vertices(s, surfaces[s])
				case "VoxelIndicesIJK":
					part.Voxels = true
					part.Index, err = p.list("voxels of parcel "+name, 3)
				default:
					return nil
				}
				parts = append(parts, part)
				return err
			})
			m.Names, m.Parcels = append(m.Names, name), append(m.Parcels, parts)
			return err
		}
		return nil
	})
}

func (p *xmlParser) models(m *CIFTIMap) error {
	err := p.children(func(t *xml.Token) error {
		if t.Name == "Volume" {
			return p.volume(t, m)
		}
		if t.Name != "BrainModel" {
			return nil
		}
		offset, err := p.number(t, "IndexOffset", 0)
		if err != nil {
			return err
		}
		rows, err := p.number(t, "IndexCount", 1)
		if err != nil {
			return err
		}
		if offset != m.Len {
			return p.bad("IndexOffset", fmt.Sprint(offset), fmt.Sprintf("%d, where the model before ends", m.Len))
		}
		model := BrainModel{Structure: structure(t), Offset: offset}
		switch kind, _ := t.Attr("ModelType"); kind {
		case "CIFTI_MODEL_TYPE_VOXELS":
			model.Voxels = true
		case "CIFTI_MODEL_TYPE_SURFACE":
			if model.Surface, err = p.number(t, "SurfaceNumberOfVertices", 1); err != nil {
				return err
			}
		default:
			return p.bad("ModelType", input.Quote(kind), "CIFTI_MODEL_TYPE_SURFACE or CIFTI_MODEL_TYPE_VOXELS")
		}
		err = p.children(func(t *xml.Token) error {
			var err error
			switch {
			case t.Name == "VertexIndices" && !model.Voxels && model.Index == nil:
				var listed BrainModel
				listed, err = p.vertices(model.Structure, model.Surface)
				model.Index = listed.Index
			case t.Name == "VoxelIndicesIJK" && model.Voxels && model.Index == nil:
				model.Index, err = p.list("voxels of "+model.Structure, 3)
			}
			return err
		})
		if err != nil {
			return err
		}
		if model.Count() != rows {
			return p.bad("brain model "+model.Structure, fmt.Sprintf("%d vertices or voxels", model.Count()), fmt.Sprintf("IndexCount, %d", rows))
		}
		m.Len += rows
		m.Models = append(m.Models, model)
		return nil
	})
	return err
}

// maps reads named maps and their label tables.
func (p *xmlParser) maps(m *CIFTIMap) error {
	return p.children(func(t *xml.Token) error {
		if t.Name != "NamedMap" {
			return nil
		}
		name, table := "", map[int]string{}
		err := p.children(func(t *xml.Token) error {
			switch t.Name {
			case "MapName":
				text, err := p.xml.Content()
				name = string(text)
				return err
			case "LabelTable":
				return p.children(func(t *xml.Token) error {
					return readLabel(p.xml, t, table)
				})
			}
			return nil
		})
		m.Names = append(m.Names, name)
		if m.Kind == CIFTILabels {
			m.Labels = append(m.Labels, table)
		}
		return err
	})
}

// About returns in words what the file holds.
func (c *CIFTI) About() string {
	return c.Rows.about() + " x " + c.Columns.about()
}

func (m *CIFTIMap) about() string {
	switch m.Kind {
	case CIFTISeries:
		s := figure.Count(m.Len, "frame")
		if m.Step > 0 {
			s += fmt.Sprintf(" of %v s", m.Step)
		}
		return s
	case CIFTIParcels:
		return figure.Count(m.Len, "region")
	case CIFTIDense:
		vertices, voxels := 0, 0
		for i := range m.Models {
			if n := m.Models[i].Count(); m.Models[i].Voxels {
				voxels += n
			} else {
				vertices += n
			}
		}
		if voxels == 0 {
			return fmt.Sprintf("%d vertices", vertices)
		}
		return fmt.Sprintf("%d vertices and %d voxels", vertices, voxels)
	}
	s := figure.Count(m.Len, "map")
	if names := firstOf(m.Names); names != "" {
		s += " (" + names + ")"
	}
	return s
}

// About returns in words what the file holds.
func (g *GIFTI) About() string {
	var parts []string
	for _, a := range g.Arrays {
		parts = append(parts, strings.ToLower(a.Intent)+" "+strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Array.Shape), "[]"), " ", " x "))
	}
	s := figure.Count(len(g.Arrays), "array")
	if len(parts) > 0 {
		s += ": " + firstOf(parts)
	}
	if len(g.Labels) > 0 {
		s += "; names of " + figure.Count(len(g.Labels), "label")
	}
	return s
}

// firstOf joins words and leaves the rest out where they become many.
func firstOf(words []string) string {
	const most = 4
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}
