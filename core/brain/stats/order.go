package stats

import (
	"math/bits"

	"cadem.example/core/base/rng"
)

// An order is one permutation: signs of rows, or a source row for each row.
type order struct {
	codes []uint8 // a bit a row: a positive sign, or that what stands there is of the first group
	rows  []int32 // source of each row; nil for signs
}

// row returns the source of row i.
func (o *order) row(i int) (from int, sign float64) {
	if o.rows != nil {
		return int(o.rows[i]), 1
	}
	if o.codes[i/groupBits]>>(i%groupBits)&1 == 1 {
		return i, 1
	}
	return i, -1
}

// draw returns the permutations of a design, and whether they are all possible ones.
func draw(d *Design, o *Options, rows int) (list []order, exact bool) {
	width := (rows + groupBits - 1) / groupBits
	coded := func(code uint64) []uint8 {
		codes := make([]uint8, width)
		for g := range codes {
			codes[g] = uint8(code >> (g * groupBits))
		}
		return codes
	}
	if all := possible(d, rows, o.Permutations); all > 0 {
		for code := range uint64(1) << rows {
			if d.A == nil || bits.OnesCount64(code) == ones(d.A) {
				list = append(list, order{codes: coded(code)})
			}
		}
		return list, true
	}
	s := rng.New(o.Seed, "contrast/permutations")
	places := make([]int, rows)
	for range o.Permutations {
		codes := make([]uint8, width)
		if d.A == nil && d.Number == nil {
			for i := range rows {
				codes[i/groupBits] |= uint8(s.IntN(2)) << (i % groupBits)
			}
			list = append(list, order{codes: codes})
			continue
		}
		s.Perm(places)
		one := order{codes: codes, rows: make([]int32, rows)}
		for i, from := range places {
			one.rows[i] = int32(from)
			if d.A != nil && d.A[i] {
				codes[from/groupBits] |= 1 << (from % groupBits)
			}
		}
		list = append(list, one)
	}
	return list, false
}

// possible returns how many permutations there are, 0 if there are more than most. With covariates every order of rows of two
// groups is another one, so they are drawn.
func possible(d *Design, rows, most int) int {
	const few = 24 // rows whose combinations can be gone through
	if rows > few || d.Number != nil || d.A != nil && len(d.Covariates) > 0 {
		return 0
	}
	n := 1 << rows
	if d.A != nil {
		n = 1
		for k := 1; k <= ones(d.A); k++ {
			n = n * (rows - k + 1) / k
		}
	}
	if n > most {
		return 0
	}
	return n
}

func ones(list []bool) (n int) {
	for _, v := range list {
		if v {
			n++
		}
	}
	return n
}
