package imaging

import (
	"fmt"
	"strings"

	"cadem/core/figure"
)

// About tells in words what the file holds.
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

// About tells in words what the file holds.
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
