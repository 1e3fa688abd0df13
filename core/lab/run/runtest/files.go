// Package runtest makes the files that tests of several packages open.
package runtest

import "cadem.example/core/formats"

// Friends returns the files of a small multiplex graph with labels.
func Friends() []formats.File {
	return []formats.File{
		{Name: "friends.edges", Data: []byte("layer,from,to\nlunch,a,b\nlunch,b,c\nlunch,a,c\nlunch,d,e\nlunch,e,f\n" +
			"lunch,d,f\nlunch,c,d\nlunch,g,h\nlunch,h,a\nwork,a,b\nwork,b,c\nwork,c,d\nwork,d,e\nwork,e,f\nwork,f,g\nwork,g,h\nwork,h,d\n")},
		{Name: "labels.csv", Data: []byte("name,team\na,x\nb,x\nc,x\nd,y\ne,y\nf,y\ng,x\nh,y\n")},
	}
}
