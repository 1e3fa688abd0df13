// Package braintest makes the files of brains that tests of several packages open.
package braintest

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
)

// Subject returns the series of an invented subject, 90 frames in rows, and its 60 regions.
func Subject(t testing.TB) (series, regions formats.File, atlas *connectome.Atlas) {
	t.Helper()
	o := &cohort.Options{}
	property.Defaults(o)
	o.Subjects, o.Regions, o.Frames = 2, 60, 90
	c, err := cohort.New(o, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Series(0, 1)
	var text, table strings.Builder
	text.WriteString(strings.Join(s.Regions, ",") + "\n")
	for frame := range s.Frames {
		for i := range s.M() {
			fmt.Fprintf(&text, "%s%.6f", []string{"", ","}[min(i, 1)], s.Row(i)[frame])
		}
		text.WriteString("\n")
	}
	// Regions in another order than in the series.
	table.WriteString("name,network,x,y,z\n")
	for i := range s.M() {
		k := s.M() - 1 - i
		p := c.Atlas.Centroids[k]
		fmt.Fprintf(&table, "%s,%s,%g,%g,%g\n", c.Atlas.Names[k], c.Atlas.Networks[c.Atlas.Network[k]], p[0], p[1], p[2])
	}
	return formats.File{Name: "s.csv", Data: []byte(text.String())}, formats.File{Name: "regions.csv", Data: []byte(table.String())}, c.Atlas
}
