package subject

import (
	"slices"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/multiplex"
)

// Answers are those to the page's questions about brains.
type Answers struct{}

// Regions marks a share (0 to 1) of the regions of a graph, those with the largest values. If the regions have networks, it counts them by
// network, as [connectome.CountNetworks] does, and how many of each the largest of other values mark.
func (Answers) Regions(g *multiplex.Graph, values, others []float64, share float64) (top []int, networks any, other []int) {
	top, other = connectome.Top(values, share), []int{}
	counts := []connectome.NetworkCount{}
	if k := slices.IndexFunc(g.Labels, func(s multiplex.LabelSet) bool { return s.Name == connectome.NetworkLabels }); k >= 0 {
		s := &g.Labels[k]
		counts = connectome.CountNetworks(s.Of, len(s.Classes), top)
		for _, c := range connectome.CountNetworks(s.Of, len(s.Classes), connectome.Top(others, share)) {
			other = append(other, c.Count)
		}
	}
	return top, counts, other
}

// Scans are those of a cohort among files, all files that are used, and why the others are not.
type Scans struct {
	Cohort    []collection.Scan     `json:"cohort"`
	Files     []string              `json:"files"`
	Before    []string              `json:"before"` // the names that they came with
	Ignored   []string              `json:"ignored"`
	Questions []connectome.Question `json:"questions"`
	Said      []string              `json:"said"`
	Unused    []connectome.Unused   `json:"unused"`
	Left      []collection.Left     `json:"left"`
}

// Scans finds the scans of a cohort among files, and says what the other files are. The error is that of [connectome.FindScans].
func (Answers) Scans(files []formats.File, choose map[string]string) (any, error) {
	found, err := connectome.FindScans(files, choose)
	if err != nil {
		return nil, err
	}
	before := []string{}
	for _, name := range found.Files() {
		before = append(before, found.Before(name))
	}
	return Scans{found.Scans, found.Files(), before, found.Ignored, found.Questions, found.Said, found.Unused, found.Left}, nil
}

// Surface reads the surface of a cortex: n x 3 coordinates of vertices in mm, three vertices of each triangle, and the region of each vertex.
// The error is that of [connectome.ReadMesh].
func (Answers) Surface(files []formats.File, names []string, regions int) (vertices []float32, triangles, region []int, notes []string, err error) {
	m, err := connectome.ReadMesh(files, names, regions)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return m.Vertices, m.Triangles, m.Region, m.Notes, nil
}
