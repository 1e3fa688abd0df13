package evaluate

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// ManyClasses is the largest number of classes for [Table], [Probes] and [Ridges]: their work grows as items times classes, and
// the memory of a ridge regression as the square of the items. At 500 classes of nine items that is minutes, at 10,000 weeks.
// [Nearest] is for more, as in studies that look for one person among thousands.
const ManyClasses = 500

// Rows hands over the rows of a matrix, of one length, one after the other; the same ones whenever it is called. They need not
// be in memory at once, and none is kept. An error of take ends it and is returned.
type Rows func(take func(row []float64) error) error

// A Nearness says how near a row is to the mean row of a class.
type Nearness int

const (
	Distance             Nearness = iota // by the distance
	StandardisedDistance                 // the same, of columns with mean 0 and standard deviation 1 over the rows trained on
	Correlation                          // by the correlation over the columns, as in the identification of connectomes (Finn and others 2015)
)

// Block sizes.
const (
	classesAtOnce = 256
	rowsAtOnce    = 32
)

// Nearest scores, in the folds that [Table] deals for the same seed, a classifier without settings: the class whose mean
// over the training items is nearest. Its memory is that of the means, whatever the number of rows, which are requested
// twice a fold. Value and FoldStd are those of [Probes]; so is yield.
func Nearest(name string, rows Rows, how Nearness, labels *multiplex.LabelSet, groups []int, o Options, seed uint64, yield pause.Yield) (
	[]Score, error) {
	t, err := newTarget(labels, groups, &o, seed)
	if err != nil {
		return nil, err
	}
	r := &probed{}
	part, parts := 0, 2*len(t.train)
	for f, train := range t.train {
		m := &means{how: how, classes: t.classes}
		predicted := make([]int, len(t.labels))
		for _, step := range []struct {
			items []int
			take  func(item int, row []float64)
			end   func()
		}{
			{train, func(i int, row []float64) { m.add(t.labels[i], row) }, m.take},
			{t.test[f], func(i int, row []float64) { m.classify(&predicted[i], row) }, m.flush},
		} {
			in, i := make([]bool, len(t.labels)), 0
			for _, k := range step.items {
				in[k] = true
			}
			err := rows(func(row []float64) error {
				if in[i] {
					step.take(i, row)
				}
				if i++; i%rowsAtOnce > 0 {
					return nil
				}
				return yield.At(part*len(in)+i, parts*len(in))
			})
			if err != nil {
				return nil, err
			}
			step.end()
			part++
		}
		found := make([]int, len(t.test[f]))
		for k, i := range t.test[f] {
			found[k] = predicted[i]
		}
		r.add(Classifier, t.pick(t.test[f]), found)
	}
	return r.scores(name, t.name), nil
}

// means are the mean rows of classes, and the rows that wait to be compared with them.
type means struct {
	how     Nearness
	classes int

	width        int
	blocks       [][]float64 // of classesAtOnce classes each, width x classesAtOnce
	count        []float64   // rows of every class
	half         []float64   // half the squared length of every mean
	shift, scale []float64   // of every column, when it is standardised
	sum, square  []float64   // of every column, less shift

	waiting  []float64 // rowsAtOnce x width
	answers  []*int
	products []float64 // rowsAtOnce x classesAtOnce
}

// begin allocates for rows like the first.
func (m *means) begin(row []float64) {
	m.width = len(row)
	for c := 0; c < m.classes; c += classesAtOnce {
		m.blocks = append(m.blocks, make([]float64, m.width*classesAtOnce))
	}
	m.count, m.half = make([]float64, m.classes), make([]float64, m.classes)
	m.shift, m.scale = make([]float64, m.width), slices.Repeat([]float64{1}, m.width)
	m.sum, m.square = make([]float64, m.width), make([]float64, m.width)
	if m.how == StandardisedDistance {
		copy(m.shift, row) // numbers near 0 lose least in squares
	}
	m.waiting, m.products = make([]float64, rowsAtOnce*m.width), make([]float64, rowsAtOnce*classesAtOnce)
}

// put sets dst to the form of a row used for comparison.
func (m *means) put(dst, row []float64) {
	for j, v := range row {
		dst[j] = float64((v - m.shift[j]) * m.scale[j])
	}
	if m.how == Correlation {
		unit(dst)
	}
}

// unit takes the mean off x and makes its length 1, or 0 if nothing is left.
func unit(x []float64) {
	mean := total(x) / float64(len(x))
	for j := range x {
		x[j] -= mean
	}
	if length := math.Sqrt(dot(x, x)); length > 0 {
		scale(x, 1/length)
	}
}

// add adds a row of a class to its mean.
func (m *means) add(class int, row []float64) {
	if m.blocks == nil {
		m.begin(row)
	}
	x := m.waiting[:m.width]
	m.put(x, row)
	block := m.blocks[class/classesAtOnce][class%classesAtOnce:]
	for j, v := range x {
		block[j*classesAtOnce] += v
		m.sum[j] += v
		m.square[j] += float64(v * v)
	}
	m.count[class]++
}

// take makes means of sums.
func (m *means) take() {
	n := total(m.count)
	if m.how == StandardisedDistance {
		for j, s := range m.sum {
			mean := s / n
			m.sum[j], m.scale[j] = mean, 0
			m.shift[j] += mean
			if v := m.square[j]/n - float64(mean*mean); v > float64(1e-12*float64(m.square[j]/n)) { // a constant column says nothing
				m.scale[j] = 1 / math.Sqrt(v)
			}
		}
	} else {
		clear(m.sum)
	}
	x := make([]float64, m.width)
	for c, count := range m.count {
		if count == 0 {
			m.half[c] = math.Inf(1) // which no row is near to
			continue
		}
		block := m.blocks[c/classesAtOnce][c%classesAtOnce:]
		for j := range x {
			x[j] = float64((block[j*classesAtOnce]/count - m.sum[j]) * m.scale[j])
		}
		if m.how == Correlation {
			unit(x)
		}
		for j, v := range x {
			block[j*classesAtOnce] = v
		}
		m.half[c] = dot(x, x) / 2
	}
}

// classify compares a row with all means, at the next flush.
func (m *means) classify(answer *int, row []float64) {
	at := len(m.answers) * m.width
	m.put(m.waiting[at:at+m.width], row)
	if m.answers = append(m.answers, answer); len(m.answers) == rowsAtOnce {
		m.flush()
	}
}

// flush classifies the rows that wait: |x - m|^2 is least where x'm - |m|^2 / 2 is largest.
func (m *means) flush() {
	rows := len(m.answers)
	best := make([]float64, rows)
	for i := range best {
		best[i] = math.Inf(-1)
	}
	for k, block := range m.blocks {
		products := m.products[:rows*classesAtOnce]
		kernel.Mul(products, m.waiting[:rows*m.width], block, rows, m.width, classesAtOnce)
		first := k * classesAtOnce
		for i, answer := range m.answers {
			for c, half := range m.half[first:min(first+classesAtOnce, m.classes)] {
				if v := products[i*classesAtOnce+c] - half; v > best[i] {
					best[i], *answer = v, first+c
				}
			}
		}
	}
	m.answers = m.answers[:0]
}
