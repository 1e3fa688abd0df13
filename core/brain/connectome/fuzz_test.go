package connectome

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/formats"
)

// FuzzOpen opens any two files. They are computed or refused with a message, and memory stays in
// proportion.
func FuzzOpen(f *testing.F) {
	s := smooth(4, 40)
	f.Add([]byte(written(turned(s.Values, 4, 40), 40, 4, nil, []string{"a", "b", "c", "d"})),
		[]byte("name,network,x,y,z\nd,A,1,2,3\nc,A,1,2,3\nb,B,1,2,3\na,0,1,2,3\n"))
	f.Add([]byte(written(s.Values, 4, 40, nil, nil)), []byte("trans_x\tcsf\n"+strings.Repeat("1\tn/a\n", 3)+strings.Repeat("2\t3\n", 37)))
	f.Add([]byte("a b\n1 .5\n.5 1\n"), []byte("x\ny\n"))
	f.Add([]byte("subject,condition,file\na,r,x\nb,r,y\nc,t,z\nd,t,u\n"), []byte("1 nan 1e308\n-1e308 2 3\n1e-320 1 1\n"))
	f.Add([]byte("# a.py\n# a,b,c,d\n"+strings.Repeat("1.5;2,5;n/a;vol_0003\n", 12)), []byte("1 2 3 1 1.0 R\n2 3 4 1 1.0 -\n"))
	f.Add([]byte("# 2  # Number of network ROIs\n# 1  # Number of netcc matrices\n1 2\n# CC\n1 .5\n.5 1\n"), []byte("Node,a,b\na,1,.5\nb,.25,1\n"))
	g := thalami()
	for _, file := range both(g, g.moved(rand.New(rand.NewPCG(1, 2))), -3) {
		f.Add(file.Data, []byte("0,1,2,3\n"+strings.Repeat("1,.5,.25,.125\n", 12)))
	}
	o := options()
	o.Filter = "none"
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var in *Input
		var err error
		frugal.Check(t, 3*(len(a)+len(b)), func() { // each is read as a table, as numbers and as a list of scans
			in, err = Open([]formats.File{{Name: "a", Data: a}, {Name: "b", Data: b}}, nil)
			readCohort(formats.File{Name: "a", Data: a})
		})
		found, foundErr := OpenIfBrain([]formats.File{{Name: "a", Data: a}, {Name: "b", Data: b}}, nil)
		if found != nil && foundErr == nil && (err != nil || found.M() != in.M()) {
			t.Errorf("what is recognised opens in another way: %v", err)
		}
		if err != nil {
			return
		}
		c, err := in.Compute(o)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		for _, r := range c.FC {
			if !(r >= -1 && r <= 1) && in.FC == nil {
				t.Fatalf("a correlation of %v", r)
			}
		}
		if g, err := c.Graph(); err == nil {
			err = g.Check()
			if err != nil {
				t.Error(err)
			}
		} else if e := (*diag.Error)(nil); !errors.As(err, &e) {
			t.Errorf("no graph: %v", err)
		}
	})
}
