package connectome

import "slices"

// RegionValues returns a value of every region in a layer of one sign: its strength, the sum of connectivity of that sign; its
// degree, the number of its links; its clustering, the share of pairs of its neighbours that are joined; or its participation,
// 1 less the sum of the squared shares of its links in each of the networks. It panics for another name.
func RegionValues(name string, c *Connectome, l *Layer, sign float64, network []int) []float64 {
	m := c.M()
	list := make([]float64, m)
	if name == "strength" {
		for i := range m {
			for j, r := range c.FC[i*m : (i+1)*m] {
				if j != i {
					list[i] += max(float64(sign*r), 0)
				}
			}
		}
		return list
	}
	neighbours := make([][]int, m)
	joined := make([]bool, m*m)
	for _, edges := range [][][2]int{l.Edges, l.Added} {
		for _, e := range edges {
			i, j := e[0], e[1]
			if !joined[i*m+j] {
				joined[i*m+j], joined[j*m+i] = true, true
				neighbours[i], neighbours[j] = append(neighbours[i], j), append(neighbours[j], i)
			}
		}
	}
	for i, near := range neighbours {
		k := float64(len(near))
		switch name {
		case "degree":
			list[i] = k
		case "clustering":
			closed := 0.0
			for a, u := range near {
				for _, v := range near[a+1:] {
					if joined[u*m+v] {
						closed++
					}
				}
			}
			if k > 1 {
				list[i] = 2 * closed / float64(k*(k-1))
			}
		case "participation":
			counts := make([]float64, slices.Max(network)+2)
			for _, u := range near {
				counts[network[u]+1]++ // what is in no network is together
			}
			if k > 0 {
				list[i] = 1
				for _, n := range counts {
					list[i] -= float64(float64(n/k) * float64(n/k))
				}
			}
		default:
			panic(ErrShape)
		}
	}
	return list
}
