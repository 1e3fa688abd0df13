package project

import "cadem.example/core/base/pause"

// Repulsion of many nodes. Cells are halved from 4 x 4 on to some nodes each. Of every level a cell is pushed by those that are not beside it but
// whose parents are beside its own: together they cover all that is not beside it on the finest level. What pushes a cell pushes its nodes alike;
// those of cells beside each other push one by one. The work is in proportion to the nodes times the number of levels.

const (
	manyNodes = 5000 // above which cells are of many sizes
	perCell   = 3    // nodes of a finest cell, about
	crowded   = 32   // nodes of a cell that push together, even from beside
)

// finest returns the cells to a side on the finest level: a power of two, 4 at least.
func finest(n int) int {
	side := 4
	for side*side*perCell < n {
		side *= 2
	}
	return side
}

// repelByLevels does what repel does.
func (f *ForceDirected) repelByLevels(wait pause.Work) error {
	side := f.sort()
	levels := [][]float64{f.mass} // the finest first
	for s := side / 2; s >= 4; s /= 2 {
		below, mass := levels[len(levels)-1], make([]float64, 3*s*s)
		for c := range s * s {
			for _, child := range [...]int{2*(c/s)*2*s + 2*(c%s), 2*(c/s)*2*s + 2*(c%s) + 1, (2*(c/s)+1)*2*s + 2*(c%s), (2*(c/s)+1)*2*s + 2*(c%s) + 1} {
				for k := range 3 {
					mass[3*c+k] += below[3*child+k]
				}
			}
		}
		levels = append(levels, mass)
	}
	for c, nodes := range f.held {
		if len(nodes) == 0 {
			continue
		}
		row, column, m := c/side, c%side, f.mass[3*c:3*c+3]
		x, y := f.far(levels, row, column, m[1]/m[0], m[2]/m[0])
		for _, i := range nodes {
			f.force[2*i] += x
			f.force[2*i+1] += y
			f.beside(i, row, column, side)
		}
		if err := wait.After(100 * len(levels) * len(nodes)); err != nil {
			return err
		}
	}
	return nil
}

// far returns the force on a place in a finest cell of all cells that are not beside it.
func (f *ForceDirected) far(levels [][]float64, row, column int, x, y float64) (fx, fy float64) {
	side := 4 << (len(levels) - 1)
	for _, mass := range levels {
		for r := max(0, row&^1-2); r <= min(side-1, row|1+2); r++ {
			for q := max(0, column&^1-2); q <= min(side-1, column|1+2); q++ {
				if d, e := r-row, q-column; d*d <= 1 && e*e <= 1 {
					continue
				}
				m := mass[3*(r*side+q) : 3*(r*side+q)+3]
				if m[0] == 0 {
					continue
				}
				dx, dy := x-m[1]/m[0], y-m[2]/m[0]
				w := m[0] / (float64(dx*dx) + float64(dy*dy) + softening)
				fx += float64(w * dx)
				fy += float64(w * dy)
			}
		}
		row, column, side = row/2, column/2, side/2
	}
	return fx, fy
}

// beside adds to node i, of a finest cell, what the nodes of that and of those beside it push.
func (f *ForceDirected) beside(i, row, column, side int) {
	x, y := f.at[2*i], f.at[2*i+1]
	for r := max(0, row-1); r <= min(side-1, row+1); r++ {
		for q := max(0, column-1); q <= min(side-1, column+1); q++ {
			c := r*side + q
			if nodes := f.held[c]; len(nodes) <= crowded {
				for _, j := range nodes {
					if j != i {
						f.push(i, x-f.at[2*j], y-f.at[2*j+1], f.charge[j])
					}
				}
				continue
			}
			m, mx, my := f.mass[3*c], f.mass[3*c+1], f.mass[3*c+2]
			if c == f.cell[i] { // all but itself
				m, mx, my = m-f.charge[i], mx-float64(f.charge[i]*x), my-float64(f.charge[i]*y)
			}
			f.push(i, x-mx/m, y-my/m, m)
		}
	}
}
