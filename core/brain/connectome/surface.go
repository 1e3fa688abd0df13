package connectome

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/imaging"
	"cadem.example/core/formats"
)

// A Mesh is a surface of the cortex, of one hemisphere or of both, whose vertices belong to
// regions.
type Mesh struct {
	Vertices  []float32 // x (right), y (front), z (up) of each, in mm
	Triangles []int     // three vertices each
	Region    []int     // of each vertex: the place of its region in the list; -1 for none
	Notes     []string  // what reading did, in sentences
}

// A hemisphere is one surface file and the labels of its vertices.
type hemisphere struct {
	file    string
	side    string // "L", "R" or "" when its name does not say
	surface *imaging.Surface
	label   []string // names of the regions of its vertices, "" for none; nil until they are known
}

// ReadMesh reads one or two surfaces (GIFTI) and labels of their vertices: GIFTI labels of
// each surface, a dense label file (CIFTI-2), or a table of one number for each vertex, the
// left hemisphere before the right, that counts regions from 1. Regions are matched by their
// names; without names, which is nil, keys stand for the regions 1 to m. The error is a
// [*diag.Error].
func ReadMesh(files []formats.File, names []string, m int) (*Mesh, error) {
	ErrShape.Unless(names == nil || len(names) == m)
	var parts []hemisphere
	var labels []labelling
	var numbers []int
	table := ""
	for _, f := range files {
		switch begin := f.Head(256); {
		case IsCIFTI(f):
			c, err := imaging.ReadCIFTI(f)
			if err != nil {
				return nil, err
			}
			if c.Type() != "dlabel" {
				return nil, diag.At(f.Name, 0, "file", fmt.Sprintf("%s by %s", c.Rows.Kind, c.Columns.Kind),
					"labels of the vertices (.dlabel.nii)")
			}
			labels = append(labels, ofCIFTI(c)...)
		case bytes.HasPrefix(bytes.TrimLeft(begin, "\ufeff \t\r\n"), []byte("<")):
			g, err := imaging.ReadGIFTI(f)
			if err != nil {
				return nil, err
			}
			if l := ofGIFTI(g); l != nil {
				labels = append(labels, *l)
				continue
			}
			s, err := g.Surface()
			if err != nil {
				return nil, err
			}
			parts = append(parts, hemisphere{file: f.Name, side: sideOf(f.Name), surface: s})
		default:
			list, err := vertexNumbers(f)
			if err != nil {
				return nil, err
			}
			if table != "" {
				return nil, second(f.Name, "table of vertices", table)
			}
			numbers, table = list, f.Name
		}
	}
	if len(parts) == 0 || len(parts) > 2 {
		return nil, &diag.Error{File: "", Where: "surfaces", Found: fmt.Sprint(len(parts)), Expected: "one or two files of a mesh (.surf.gii)"}
	}
	if len(parts) == 2 && parts[0].side > parts[1].side {
		slices.Reverse(parts)
	}
	mesh := &Mesh{}
	if len(parts) == 2 {
		first, other := parts[0], parts[1]
		if first.side != "" && first.side == other.side {
			return nil, diag.At(other.file, 0, "surfaces", "a second mesh of the hemisphere of "+first.file,
				"one for each hemisphere")
		}
		if first.side == "" {
			mesh.Notes = append(mesh.Notes, first.file+": its name says no hemisphere (L or R); its vertices come first.")
		}
	}
	if table != "" && len(labels) > 0 {
		return nil, diag.At(table, 0, "labels", "a table of numbers beside label files", "one of the two")
	}
	if table != "" {
		if err := spread(parts, numbers, table); err != nil {
			return nil, err
		}
		mesh.Notes = append(mesh.Notes, table+": numbers count the regions from 1 in the order of the data, the left hemisphere's vertices first.")
	}
	for i := range parts {
		p := &parts[i]
		for k := range labels {
			if l := &labels[k]; p.label == nil && len(l.of) == len(p.surface.Vertices)/3 && (l.side == "" || p.side == "" || l.side == p.side) {
				p.label = l.of
			}
		}
		if p.label == nil {
			return nil, diag.At(p.file, 0, "labels", fmt.Sprintf("none for its %d vertices", len(p.surface.Vertices)/3),
				"labels of the same surface: .label.gii, .dlabel.nii, or a table with a number for each vertex")
		}
		before := len(mesh.Vertices) / 3
		mesh.Vertices = append(mesh.Vertices, p.surface.Vertices...)
		for _, v := range p.surface.Triangles {
			mesh.Triangles = append(mesh.Triangles, before+int(v))
		}
	}
	return mesh, mesh.match(parts, names, m, table != "")
}

// match finds the regions of the vertices.
func (mesh *Mesh) match(parts []hemisphere, names []string, m int, numbered bool) error {
	at := map[string]int{}
	if names == nil || numbered {
		for k := range m {
			at[strconv.Itoa(k+1)] = k
		}
	} else {
		for k, name := range names {
			at[plain(name)] = k
		}
	}
	otherwise := map[string]int{}
	for k, name := range names {
		if _, again := otherwise[loose(name)]; again {
			otherwise = nil // the hemisphere does not tell them apart
			break
		}
		otherwise[loose(name)] = k
	}
	var unknown []string
	seen := make([]bool, m)
	for _, p := range parts {
		for _, label := range p.label {
			k, ok := at[plain(label)]
			if side, rest := sided(label); !ok && !numbered {
				k, ok = otherwise[cmp.Or(side, strings.ToLower(p.side))+" "+rest]
			}
			switch {
			case label == "":
				k = -1
			case !ok:
				k = -1
				if !slices.Contains(unknown, label) {
					unknown = append(unknown, label)
				}
			default:
				seen[k] = true
			}
			mesh.Region = append(mesh.Region, k)
		}
	}
	var lost []string
	for k, ok := range seen {
		if !ok {
			lost = append(lost, region(names, k))
		}
	}
	if len(lost) == m {
		return diag.At(parts[0].file, 0, "labels", "none that is a region of the data: "+some(unknown),
			"the names of the regions, as in the table of regions")
	}
	if len(unknown) > 0 {
		mesh.Notes = append(mesh.Notes, fmt.Sprintf("Grey, since no region of the data has that name: %s.", some(unknown)))
	}
	if len(lost) > 0 {
		mesh.Notes = append(mesh.Notes, fmt.Sprintf("Without a vertex on the surface: %s.", some(lost)))
	}
	return nil
}

// A labelling names the region of every vertex of a surface.
type labelling struct {
	side string
	of   []string
}

// ofGIFTI returns the labels of a GIFTI file, nil if it has none.
func ofGIFTI(g *imaging.GIFTI) *labelling {
	for _, a := range g.Arrays {
		keys, ok := a.Array.Data.([]int32)
		if a.Intent != "LABEL" || !ok {
			continue
		}
		l := &labelling{sideOf(g.Name), make([]string, len(keys))}
		for i, k := range keys {
			if k != 0 { // no region, whatever the table calls it
				l.of[i] = g.Labels[int(k)]
			}
		}
		return l
	}
	return nil
}

// ofCIFTI returns the labels of both surfaces of a dense label file, those of its first map.
func ofCIFTI(c *imaging.CIFTI) []labelling {
	var list []labelling
	row := make([]float64, c.Columns.Len)
	for _, model := range c.Rows.Models {
		side := map[string]string{"CORTEX_LEFT": "L", "CORTEX_RIGHT": "R"}[strings.TrimPrefix(model.Structure, "CIFTI_STRUCTURE_")]
		if model.Voxels || side == "" {
			continue
		}
		l := labelling{side, make([]string, model.Surface)}
		for k, vertex := range model.Index {
			c.Row(row, model.Offset+k)
			if key := int(row[0]); key != 0 {
				l.of[vertex] = c.Columns.Labels[0][key]
			}
		}
		list = append(list, l)
	}
	return list
}

// vertexNumbers reads a table of one whole number a line.
func vertexNumbers(f formats.File) ([]int, error) {
	t, err := formats.ReadTable(f)
	if err != nil {
		return nil, err
	}
	list := make([]int, 0, len(t.Rows))
	for _, row := range t.Rows {
		k, err := strconv.Atoi(row.Fields[len(row.Fields)-1])
		if err != nil || len(row.Fields) > 2 {
			return nil, diag.At(f.Name, row.Line, "", strconv.Quote(strings.Join(row.Fields, " ")),
				"the number of a region, 0 for none, one line for each vertex")
		}
		list = append(list, k)
	}
	return list, nil
}

// spread gives numbers to the vertices of all surfaces, in order.
func spread(parts []hemisphere, numbers []int, table string) error {
	all := 0
	for i := range parts {
		all += len(parts[i].surface.Vertices) / 3
	}
	if all != len(numbers) {
		return diag.At(table, 0, "rows", fmt.Sprint(len(numbers)),
			fmt.Sprintf("%d, one for each vertex, the left hemisphere first", all))
	}
	for i := range parts {
		p := &parts[i]
		p.label = make([]string, len(p.surface.Vertices)/3)
		for k := range p.label {
			if numbers[k] != 0 {
				p.label[k] = strconv.Itoa(numbers[k])
			}
		}
		numbers = numbers[len(p.label):]
	}
	return nil
}

// sideOf says from a file's name which hemisphere it is of: L, R, or "" when it does not
// say.
func sideOf(file string) string {
	apart := func(r rune) bool { return strings.ContainsRune("._-", r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(path.Base(file)), apart) {
		if side := hemisphereOf(word); side != "" {
			return strings.ToUpper(side)
		}
	}
	return ""
}
