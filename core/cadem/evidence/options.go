package evidence

// Options of the split. The zero value has the defaults of all, except for stopping early.
type Options struct {
	Level        float64 // alpha, .05 when 0
	Permutations int     // B; when 0, 199, or 20 for every layer if that is more
	Patience     int     // permutations that exceed a layer's statistic after which it is known not to pass; 0 draws all
	Functions    int     // R; when 0, 32, 16 for more than four layers, and a quarter of the nodes at most
	Folds        int     // K, 5 when 0
	Private      int     // most private directions; when 0, 16, and 24 from 3000 nodes
	Tail         int     // most directions of the tail, 24 when 0; below 0 there is none
	// Validated takes the directions that the rule of strong layers validated, not as many of largest modulus.
	Validated bool

	divides bool // nothing but strengths is asked of the folds
}

// Defaults stops early, and takes validated directions.
func Defaults() Options { return Options{Patience: 10, Validated: true} }

func (o Options) level() float64 { return either(o.Level, .05) }
func (o Options) folds() int     { return either(o.Folds, 5) }
func (o Options) tail() int      { return max(0, either(o.Tail, 24)) }

func (o Options) permutations(layers int) int { return either(o.Permutations, max(199, 20*layers)) }

func (o Options) functions(layers, nodes int) int {
	most := 32
	if layers > 4 {
		most = 16
	}
	return either(o.Functions, min(most, nodes/4))
}

func (o Options) private(nodes int) int {
	if nodes >= 3000 {
		return either(o.Private, 24)
	}
	return either(o.Private, 16)
}

// either returns x, or the default for 0.
func either[T int | float64](x, zero T) T {
	if x != 0 {
		return x
	}
	return zero
}
