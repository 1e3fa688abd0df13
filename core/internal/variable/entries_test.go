package variable

import (
	"encoding/binary"
	"math"
	"testing"

	"cadem.example/core/internal/input"
)

// Nonzero entries are found at any position in a word, a page or the rest of one, whatever their
// size and the order of their bytes.
func TestNonzero(t *testing.T) {
	for _, d := range []DType{{'b', 1, false}, {'u', 1, false}, {'i', 1, false}, {'u', 2, true}, {'i', 4, false}, {'i', 8, true}, {'f', 4, true},
		{'f', 8, false}} {
		n := (input.PageSize+24)/d.Width + 3
		want := map[int]float64{}
		e := &Entries{DType: d, N: n, Packed: &input.Packed{}}
		var page []byte
		for k := range n {
			x, bits := 0.0, uint64(0)
			if k%5 == 1 || k%64 > 56 || k > n-3 {
				x, bits = 1, 1
				switch {
				case d.Kind == 'f' && d.Width == 4:
					x = 0.25
					bits = uint64(math.Float32bits(0.25))
				case d.Kind == 'f' && k%7 == 0:
					bits = math.Float64bits(math.Copysign(0, -1)) // a zero after all
					x = 0
				case d.Kind == 'f':
					x = math.Pi
					bits = math.Float64bits(math.Pi)
				case d.Kind == 'i':
					x, bits = -2, math.MaxUint64-1
				}
			}
			if x != 0 {
				want[k] = x
			}
			word := binary.LittleEndian.AppendUint64(nil, bits)[:d.Width]
			if d.Big {
				word = binary.BigEndian.AppendUint64(nil, bits)[8-d.Width:]
			}
			if page = append(page, word...); len(page) == input.PageSize || k == n-1 {
				e.Add(page)
				page = page[:0]
			}
		}
		last := -1
		e.nonzero(func(k int, v float64) {
			if v != want[k] || k <= last {
				t.Errorf("%s: entry %d after %d is %g, expected %g", d, k, last, v, want[k])
			}
			last = k
			delete(want, k)
		})
		if len(want) > 0 {
			t.Errorf("%s: %d entries were passed over", d, len(want))
		}
	}
}
