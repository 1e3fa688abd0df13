// Package runtest makes the files that tests of several packages open.
package runtest

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
)

// Friends returns the files of a small multiplex graph with labels.
func Friends() []formats.File {
	return []formats.File{
		{Name: "friends.edges", Data: []byte("layer,from,to\nlunch,a,b\nlunch,b,c\nlunch,a,c\nlunch,d,e\nlunch,e,f\n" +
			"lunch,d,f\nlunch,c,d\nlunch,g,h\nlunch,h,a\nwork,a,b\nwork,b,c\nwork,c,d\nwork,d,e\nwork,e,f\nwork,f,g\nwork,g,h\nwork,h,d\n")},
		{Name: "labels.csv", Data: []byte("name,team\na,x\nb,x\nc,x\nd,y\ne,y\nf,y\ng,x\nh,y\n")},
	}
}

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
