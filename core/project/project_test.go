package project

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func cloud(n, d int, src *rng.Stream) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, src.Norm()*float64(d-j)+5)
		}
	}
	return x
}

// rotation returns an orthogonal matrix, a reflection in about half of the cases.
func rotation(d int, src *rng.Stream) *mat.Dense {
	var qr mat.QR
	qr.Factorize(cloud(d, d, src))
	var q mat.Dense
	qr.QTo(&q)
	if src.IntN(2) == 0 {
		for i := range d {
			q.Set(i, 0, -q.At(i, 0))
		}
	}
	return &q
}

func distance[T, U float32 | float64](a []T, b []U) float64 {
	s := 0.0
	for i := range a {
		s += (float64(a[i]) - float64(b[i])) * (float64(a[i]) - float64(b[i]))
	}
	return math.Sqrt(s)
}

// The plane against the eigenvectors of an independent library.
func TestPCAAgainstEigenSym(t *testing.T) {
	src := rng.New(1, "pca")
	for _, c := range [][2]int{{50, 2}, {200, 8}, {5, 3}, {30, 16}, {10, 40}} {
		n, d := c[0], c[1]
		x := cloud(n, d, src)
		x.Mul(x, rotation(d, src))
		p, err := PCA(x)
		if err != nil {
			t.Fatal(err)
		}
		centred := mat.NewDense(n, d, nil)
		for j := range d {
			col := mat.Col(nil, j, x)
			m := 0.0
			for _, v := range col {
				m += v / float64(n)
			}
			for i, v := range col {
				centred.Set(i, j, v-m)
			}
		}
		var cov mat.SymDense
		cov.SymOuterK(1, centred.T())
		var eig mat.EigenSym
		if !eig.Factorize(&cov, true) {
			t.Fatal("EigenSym failed")
		}
		var v mat.Dense
		eig.VectorsTo(&v)
		values := eig.Values(nil)
		for a := range 2 {
			k := d - 1 - a
			if share := values[k] / mat.Trace(&cov); math.Abs(p.Share[a]-share) > 1e-12 {
				t.Errorf("%v: share %d is %v, want %v", c, a, p.Share[a], share)
			}
			along := 0.0
			for j := range d {
				along += p.Axes[a][j] * v.At(j, k)
			}
			if math.Abs(math.Abs(along)-1) > 1e-9 {
				t.Errorf("%v: axis %d has cosine %v with the eigenvector", c, a, along)
			}
		}
	}
}

func TestAlignmentNeverIncreasesTheDistance(t *testing.T) {
	src := rng.New(2, "align")
	for range 200 {
		n := 1 + src.IntN(20)
		xy, ref := make([]float64, 2*n), make([]float64, 2*n)
		for i := range xy {
			xy[i], ref[i] = src.Norm(), src.Norm()
		}
		before := distance(xy, ref)
		turned := append([]float64(nil), xy...)
		align(turned, ref)
		best := distance(turned, ref)
		if best > before+1e-12 {
			t.Fatalf("distance %v became %v", before, best)
		}
		// Nor does any other turn, with or without mirroring, come closer.
		for k := range 72 {
			s, c := math.Sincos(float64(k) * math.Pi / 36)
			for _, m := range []float64{1, -1} {
				other := make([]float64, 2*n)
				for i := 0; i < 2*n; i += 2 {
					other[i], other[i+1] = c*xy[i]-m*s*xy[i+1], s*xy[i]+m*c*xy[i+1]
				}
				if d := distance(other, ref); d < best-1e-12 {
					t.Fatalf("turn %d: %v, aligned %v", k, d, best)
				}
			}
		}
		// Lengths stay.
		for i := 0; i < 2*n; i += 2 {
			if a, b := math.Hypot(xy[i], xy[i+1]), math.Hypot(turned[i], turned[i+1]); math.Abs(a-b) > 1e-12 {
				t.Fatalf("length %v became %v", a, b)
			}
		}
	}
}

// A frame that was turned comes back onto itself, whatever is between them.
func TestAlign(t *testing.T) {
	src := rng.New(6, "frames")
	for range 20 {
		frame, angle := make([]float32, 60), src.Float64()*2*math.Pi
		onto := make([]float32, len(frame))
		sin, cos := math.Sincos(angle)
		for i := 0; i < len(frame); i += 2 {
			x, y := src.Norm(), 3*src.Norm()
			onto[i], onto[i+1] = float32(x), float32(y)
			frame[i], frame[i+1] = float32(cos*x-sin*y), float32(-sin*x-cos*y) // mirrored, too
		}
		Align(frame, onto)
		if d := distance(frame, onto); d > 1e-5 {
			t.Errorf("turned by %.2f it lies %v away", angle, d)
		}
	}
}

func TestRotatedInputGivesTheSamePicture(t *testing.T) {
	src := rng.New(3, "rotated")
	for range 20 {
		x := cloud(40, 6, src)
		var turned mat.Dense
		turned.Mul(x, rotation(6, src))
		var p, q Projector
		a, sa, err := p.Next(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		b, sb, err := q.Next(nil, &turned)
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(a, b); d > 1e-4 {
			t.Errorf("first frames are %v apart", d)
		}
		if math.Abs(sa[0]-sb[0])+math.Abs(sa[1]-sb[1]) > 1e-12 {
			t.Errorf("shares %v and %v", sa, sb)
		}
		// As a second frame of the same projector too.
		if b, _, _ = p.Next(b, &turned); distance(a, b) > 1e-4 {
			t.Errorf("the picture moved by %v", distance(a, b))
		}
	}
}

// While the two largest variances cross, axes swap; the picture must not.
func TestPicturesDoNotFlip(t *testing.T) {
	src := rng.New(4, "flip")
	base := mat.NewDense(60, 3, nil)
	for i := range 60 {
		base.SetRow(i, []float64{src.Norm(), src.Norm(), 0.1 * src.Norm()})
	}
	var p Projector
	var last []float32
	for step := range 41 {
		f := 1.5 - float64(step)/40
		x := mat.DenseCopyOf(base)
		for i := range 60 {
			x.Set(i, 0, f*x.At(i, 0))
		}
		xy, _, err := p.Next(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		if last != nil {
			if d := distance(xy, last); d > 0.5 {
				t.Errorf("step %d moved the picture by %v", step, d)
			}
		}
		last = xy
	}
}

func TestDegenerateEmbeddings(t *testing.T) {
	line := mat.NewDense(4, 3, []float64{1, 2, 3, 2, 4, 6, 3, 6, 9, 0, 0, 0})
	constant := mat.NewDense(5, 2, []float64{.1, 7, .1, 7, .1, 7, .1, 7, .1, 7})
	for _, c := range []struct {
		name  string
		x     *mat.Dense
		share [2]float64
	}{
		{"rank one", line, [2]float64{1, 0}},
		{"constant", constant, [2]float64{}},
		{"one node", mat.NewDense(1, 3, []float64{1, 2, 3}), [2]float64{}},
		{"one coordinate", mat.NewDense(3, 1, []float64{1, 2, 6}), [2]float64{1, 0}},
	} {
		var p Projector
		for range 3 {
			xy, share, err := p.Next(nil, c.x)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if math.Abs(share[0]-c.share[0]) > 1e-12 || share[1] != c.share[1] {
				t.Errorf("%s: shares %v, want %v", c.name, share, c.share)
			}
			for i, v := range xy {
				if v != v || (c.share[1] == 0 && i%2 == 1 && v != 0) || (c.share[0] == 0 && v != 0) {
					t.Errorf("%s: coordinates %v", c.name, xy)
					break
				}
			}
		}
		// A frame with directions after one without, and back.
		if _, _, err := p.Next(nil, cloud(c.x.RawMatrix().Rows, 4, rng.New(1, c.name))); err != nil {
			t.Errorf("%s, then a cloud: %v", c.name, err)
		}
		if _, _, err := p.Next(nil, c.x); err != nil {
			t.Errorf("%s, after a cloud: %v", c.name, err)
		}
	}
}

func TestValuesThatCannotBeDrawn(t *testing.T) {
	var p Projector
	x := cloud(5, 3, rng.New(1, "values"))
	first, _, err := p.Next(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e39} {
		bad := mat.DenseCopyOf(x)
		bad.Set(3, 1, v)
		if _, _, err := p.Next(nil, bad); err == nil || !strings.HasPrefix(err.Error(), "node 3, coordinate 1: found ") {
			t.Errorf("%v: error %v", v, err)
		}
	}
	if again, _, err := p.Next(nil, x); err != nil || distance(first, again) > 1e-6 {
		t.Errorf("after a refused frame the picture moved by %v, %v", distance(first, again), err)
	}
}

func TestAnotherNumberOfNodesStartsAfresh(t *testing.T) {
	var p, fresh Projector
	if _, _, err := p.Next(nil, cloud(9, 3, rng.New(1, "nine"))); err != nil {
		t.Fatal(err)
	}
	x := cloud(7, 3, rng.New(1, "seven"))
	a, _, _ := p.Next(nil, x)
	b, _, _ := fresh.Next(nil, x)
	if distance(a, b) != 0 {
		t.Errorf("%v apart", distance(a, b))
	}
	fresh.Reset()
	if b, _, _ = fresh.Next(b, x); distance(a, b) != 0 {
		t.Errorf("after a reset %v apart", distance(a, b))
	}
}

func TestShapesPanic(t *testing.T) {
	x := cloud(4, 3, rng.New(1, "shapes"))
	plane, err := PCA(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"next":          func() { new(Projector).Next(make([]float32, 7), x) },
		"project":       func() { plane.Project(make([]float64, 7), x) },
		"other columns": func() { plane.Project(make([]float64, 8), cloud(4, 2, rng.New(1, "x"))) },
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
	}
}

func BenchmarkNext(b *testing.B) {
	x, dst := cloud(1000, 8, rng.New(1, "bench")), make([]float32, 2000)
	var p Projector
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Next(dst, x); err != nil {
			b.Fatal(err)
		}
	}
}

// The axes of a whitened matrix are arbitrary; along those of its origin two clouds stay
// apart.
func TestAlongTheAxesOfTheOrigin(t *testing.T) {
	src := rng.New(5, "whitened")
	const n = 400
	x, y := mat.NewDense(n, 4, nil), mat.NewDense(n, 4, nil)
	for i := range n {
		side := float64(i%2)*2 - 1
		for j := range 4 {
			v := src.Norm()
			if j == 2 {
				v = side + 0.1*src.Norm() // variance 1, like the others
			}
			x.Set(i, j, v)
			y.Set(i, j, v)
		}
		y.Set(i, 2, 10*x.At(i, 2)) // the origin: this axis is the largest
	}
	var p Projector
	xy, share, err := p.Along(nil, x, y)
	if err != nil {
		t.Fatal(err)
	}
	if share[0] < 0.9 {
		t.Errorf("share %v along the first axis", share[0])
	}
	for i := range n {
		if (xy[2*i] > 0) != (xy[0] > 0) == (i%2 == 0) {
			t.Fatalf("node %d is on the wrong side", i)
		}
	}
}
