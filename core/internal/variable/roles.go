package variable

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// SaysLabels reports whether the name of a variable says that it holds labels.
func SaysLabels(v *Variable) bool {
	name := input.Plain(Last(v.Name))
	return slices.Contains([]string{"y", "gnd", "gt", "class", "classes", "target", "targets", "truth"}, name) || strings.Contains(name, "label")
}

// SaysFeatures reports whether the name of a variable says that it holds features.
func SaysFeatures(v *Variable) bool { return NamesFeatures(v) > 0 }

// NamesFeatures says how well the name of a variable says that it holds features: 2 as a whole,
// 1 in part, 0 not.
func NamesFeatures(v *Variable) int {
	name := input.Plain(Last(v.Name))
	switch {
	case slices.Contains([]string{"x", "attr", "attrs", "attribute", "attributes", "attrmat", "feature", "features", "feat", "feats"}, name):
		return 2
	case strings.Contains(name, "feat"):
		return 1
	}
	return 0
}

// SaysLayers reports whether a variable of n words may name as many layers.
func SaysLayers(v *Variable, n int) bool {
	name := input.Plain(Last(v.Name))
	says := name == "names" || name == "name"
	says = says || holds(name, "layer", "relation", "view", "edgetype", "etype", "metapath", "network", "band", "freq")
	return says && v.text != nil && !SaysLabels(v) && len(v.text()) == n
}

// SaysIDs reports whether a variable holds the ids of nodes, by its name and its form: those of channels in words, as MNE and FieldTrip name them.
func SaysIDs(v *Variable) bool {
	name := input.Plain(Last(v.Name))
	says := slices.Contains([]string{"node", "nodes", "nodeid", "nodeids", "nodename", "nodenames", "id", "ids", "names"}, name) ||
		v.text != nil && slices.Contains([]string{"chnames", "channels", "channelnames", "electrodes", "label"}, name) && !SaysPlaces(v)
	return says && v.IDs() != nil
}

// Pairs returns a matrix of n nodes for each column of a variable whose rows are pairs of them, which at returns.
func (v *Variable) Pairs(n int, at func(row int) (i, j int)) (list []*Variable) {
	for f := range v.Cols() {
		w := *v
		if w.Shape = []int{n, n}; v.Cols() > 1 {
			w.Name = fmt.Sprintf("%s[%d]", v.Name, f)
		}
		w.each = func(yield func(i, j int, x float64)) {
			v.each(func(row, column int, x float64) {
				if column == f {
					i, j := at(row)
					yield(i, j, x)
				}
			})
		}
		list = append(list, &w)
	}
	return list
}

// Raveled returns the number of nodes whose pairs, one below the other, the rows of a matrix are, as MNE has them; 0 where neither named says how
// many nodes there are, nor each column is symmetric or one triangle.
func (v *Variable) Raveled(named int) int {
	n := int(math.Sqrt(float64(v.Rows())))
	if v.Form != Dense || v.each == nil || len(v.Shape) != 2 || n < 3 || n*n != v.Rows() || v.Cols() > input.MaxLayers || SaysFeatures(v) || SaysLabels(v) {
		return 0
	}
	x := make([]float64, v.Rows()*v.Cols())
	v.each(func(i, j int, value float64) { x[j*v.Rows()+i] = value })
	same, upper, lower := true, true, true
	for f := range v.Cols() {
		a := x[f*n*n:]
		for i := range n {
			for j := range i {
				same, upper, lower = same && a[i*n+j] == a[j*n+i], upper && a[i*n+j] == 0, lower && a[j*n+i] == 0
			}
		}
	}
	if named == n || same || upper || lower {
		return n
	}
	return 0
}

// IDs returns the entries of a variable of one dimension as ids, words or whole numbers; nil when it holds something else, or
// one of them twice.
func (v *Variable) IDs() []string {
	var list []string
	switch n := v.Rows() * v.Cols(); {
	case n < 2 || n > input.MaxNodes || v.Rows() > 1 && v.Cols() > 1 || v.Form == Links:
		return nil
	case v.text != nil:
		list = v.text()
	case v.each != nil && v.Form == Dense && v.Type[0] != 'b':
		list = slices.Repeat([]string{"0"}, n)
		whole := true
		v.each(func(i, j int, x float64) {
			whole = whole && x == math.Trunc(x) && x >= 0 && x < 1<<53
			list[max(i, j)] = strconv.FormatFloat(x, 'f', -1, 64)
		})
		if !whole {
			return nil
		}
	default:
		return nil
	}
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		if id == "" || seen[id] {
			return nil
		}
		seen[id] = true
	}
	return list
}

// SaysSplit reports whether the name of a variable says that it holds a part of a split, such as train_idx or test_mask.
func SaysSplit(v *Variable) bool {
	part, _ := SplitPart(Last(v.Name))
	name := input.Plain(Last(v.Name))
	return strings.HasPrefix(name, "train") || strings.HasPrefix(name, "val") || strings.HasPrefix(name, "test") ||
		strings.HasSuffix(name, "mask") || part >= 0 || strings.HasSuffix(name, "idx") || strings.Contains(name, "split")
}

// SaysPlaces reports whether the name of a variable says that it holds places, or that it is
// among what programs for EEG and MEG note of sensors, recordings and settings.
func SaysPlaces(v *Variable) bool {
	name, path := input.Plain(Last(v.Name)), "."+strings.ToLower(v.Name)
	says := name == "pnt" || strings.HasSuffix(name, "pos")
	says = says || holds(name, "coord", "xyz", "position", "location", "centroid")
	return says && (v.Cols() == 2 || v.Cols() == 3) || holds(path, ".elec.", ".grad.", ".opto.", ".cfg.", ".hdr.", ".chanlocs.")
}

// holds reports whether a name holds one of some words.
func holds(name string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// MayBeClasses says what makes labels of a matrix of numbers likely, whatever its name: its rows
// have an entry each, or it is one column of whole numbers. "" is nothing.
func (v *Variable) MayBeClasses() string {
	const most = 50 // classes
	if v.each == nil || v.Form == Links || v.Cols() > most {
		return ""
	}
	seen, in, n := make([]bool, v.Rows()), uint64(0), 0
	once, whole, value := true, true, 0.0
	v.each(func(i, j int, x float64) {
		if x == 0 || i < 0 || i >= v.Rows() || j < 0 || j >= v.Cols() {
			return // what is out of range is refused later
		}
		if n++; n == 1 {
			value = x
		}
		once = once && x == value && !seen[i]
		whole = whole && x == math.Trunc(x)
		seen[i], in = true, in|1<<j
	})
	switch used := bits.OnesCount64(in); {
	case v.Cols() == 1 && whole:
		return "one column of whole numbers"
	case once && used > 1 && used < n: // a row without an entry has no label
		return "at most one entry in each row"
	}
	return ""
}

// PartNames name the parts of a split in words.
var PartNames = [...]string{"training", "validation", "test"}

// partWords are the names of parts in files.
var partWords = [...][]string{
	{"train", "training"}, {"val", "valid", "validation", "dev"}, {"test", "testing"},
}

// SplitWord returns the part of a split that a word names: its place in [PartNames], -1 for none.
func SplitWord(word string) int {
	word = strings.ToLower(strings.TrimSpace(word))
	return slices.IndexFunc(partWords[:], func(words []string) bool { return slices.Contains(words, word) })
}

// SplitPart returns the part of a split that a name says, with or without a word such as mask or idx, and the rest of the name, which is the
// same for parts of one split: 0 and "_20" of "train_20". The part is -1 if the name says none, or more than one.
func SplitPart(name string) (part int, rest string) {
	part = -1
	letter := func(i int) bool { return 'a' <= name[i]|0x20 && name[i]|0x20 <= 'z' }
	for at := 0; at < len(name); {
		end := at + 1
		for end < len(name) && letter(end) == letter(at) {
			end++
		}
		word := name[at:end]
		p, affix := SplitWord(word), ""
		for _, a := range []string{"mask", "masks", "idx", "index", "indices", "id", "ids", "nodes", "set", "split"} {
			if lower := strings.ToLower(word); p < 0 && len(lower) > len(a) {
				before, after := strings.TrimPrefix(lower, a), strings.TrimSuffix(lower, a)
				if p = max(SplitWord(before), SplitWord(after)); p >= 0 {
					affix = a
				}
			}
		}
		switch {
		case p < 0:
			rest += word
		case part >= 0:
			return -1, ""
		default:
			part, rest = p, rest+affix
		}
		at = end
	}
	return part, rest
}

// IsLayer reports whether a variable is taken for a layer unless another choice is made.
func IsLayer(v *Variable) bool { return v.WhyNoLayer() == "" }

// WhyNoLayer says why a variable is not taken for a layer unless another choice is made; "" when
// it is.
func (v *Variable) WhyNoLayer() string {
	switch {
	case SaysLabels(v):
		return "labels by its name"
	case SaysFeatures(v):
		return "features by its name"
	case SaysSplit(v):
		return "a split by its name"
	case v.Aside:
		return "of places or sensors by its name"
	case v.each == nil || len(v.Shape) != 2:
		return v.describe()
	case !v.IsSquare():
		said := fmt.Sprintf("%d x %d, not square", v.Shape[0], v.Shape[1])
		if n := int(math.Sqrt(float64(v.Shape[0]))); n > 3 && n*n == v.Shape[0] {
			said += fmt.Sprintf("; if rows are the pairs of %d, save them as %d x %d: get_data(output=\"dense\") of MNE", n, n, n)
		}
		if n := v.Shape[1]; n > 2 && v.Shape[0]%n == 0 {
			said += fmt.Sprintf("; if it is %d matrices below each other, save each in a file of its own", v.Shape[0]/n)
		}
		return said
	case v.Rows() < 2:
		return "of one entry"
	}
	if i, j, x, ok := v.negative(); ok {
		return fmt.Sprintf("%g in row %d, column %d", x, i, j)
	}
	return ""
}

// negative finds the first number below 0: no layer, but correlations perhaps.
func (v *Variable) negative() (row, col int, x float64, ok bool) {
	if v.Form != Links && v.Type[0] != 'b' && v.Type[0] != 'u' {
		v.each(func(i, j int, f float64) {
			if f < 0 && !ok {
				row, col, x, ok = i, j, f, true
			}
		})
	}
	return row, col, x, ok
}

// Last returns the last part of a name with dots.
func Last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Layer returns a variable as the adjacency matrix of n nodes, as stored.
func (v *Variable) Layer(n int) (*multiplex.CSR, error) {
	switch {
	case v.each == nil && v.Rows() == v.Cols() && v.Rows() > input.MaxNodes:
		return nil, v.Fail(v.describe(), fmt.Sprintf("at most %d nodes", input.MaxNodes))
	case !v.IsSquare():
		return nil, v.Fail(v.describe(), "a layer: a square matrix of numbers or a list of links")
	}
	a, err := v.Matrix(n, n)
	if err != nil {
		return nil, err
	}
	for k, w := range a.Value {
		if w < 0 || w > input.MaxWeight || w < 1/input.MaxWeight {
			i, _ := slices.BinarySearch(a.Start, int32(k)+1)
			return nil,
				v.Fail(fmt.Sprintf("the weight %g in row %d, column %d", w, i-1, a.Index[k]),
					fmt.Sprintf("0 or a number from %g to %g", 1/input.MaxWeight, input.MaxWeight))
		}
	}
	return a, nil
}

// Features returns a variable as the matrix of the features of m nodes.
func (v *Variable) Features(m int) (*multiplex.CSR, error) {
	if v.Form == Links || v.each == nil || len(v.Shape) == 0 || v.Rows() != m {
		return nil, v.Fail(v.describe(), fmt.Sprintf("features: a matrix of numbers with %d rows, one a node", m))
	}
	a, err := v.Matrix(v.Rows(), v.Cols())
	if err == nil && (a.Cols == 0 || a.NNZ() == 0) {
		err = v.Fail("nothing but zeros", "features")
	}
	return a, err
}

// Packed returns a matrix as features, sparse when that is smaller.
func Packed(a *multiplex.CSR) (*multiplex.Features, error) {
	if int64(a.Rows)*int64(a.Cols) > int64(a.NNZ())*2 {
		return multiplex.SparseFeatures(a), nil
	}
	return multiplex.DenseFeatures(a.Rows, a.Cols, a.Dense())
}

// maxOneHot is the largest number of columns of a matrix of labels.
const maxOneHot = 100

// FitsLabels reports whether a variable has the shape that labels of m nodes have.
func (v *Variable) FitsLabels(m int) bool {
	n := 1
	for _, d := range v.Shape {
		n *= d
	}
	switch {
	case v.text != nil:
		return n == m
	case v.each == nil || v.Form == Links:
		return false
	}
	return n == m && (v.Rows() == m || v.Rows() == 1) || v.Rows() == m && v.Cols() > 1 && v.Cols() <= maxOneHot
}

// Labels returns a variable as the labels of m nodes: whole numbers, words, or a column for
// each class. Numbers that are not finite, and words such as NA, are missing; see [Unlabelled], too.
func (v *Variable) Labels(m int) (*multiplex.LabelSet, error) {
	switch fits := v.FitsLabels(m); {
	case v.text != nil && fits:
		return NewLabelSet(v.Name, v.text()), nil
	case v.each == nil || v.Form == Links:
		return nil, v.Fail(v.describe(), fmt.Sprintf("labels: %d numbers or words, one a node", m))
	case !fits:
		return nil, v.Fail(fmt.Sprintf("labels of shape %v", v.Shape), fmt.Sprintf("%d labels, one a node", m))
	case v.Rows() == m && v.Cols() > 1 && m > 0:
		return v.oneHot(m)
	}
	return v.numberLabels(m)
}

// LabelRows returns how many labels a variable has of n nodes: its rows where these have ids.
func (v *Variable) LabelRows(n int) int {
	if v.Keys != nil {
		return v.Rows()
	}
	return n
}

func (v *Variable) numberLabels(m int) (*multiplex.LabelSet, error) {
	x := make([]float64, m)
	across := v.Rows() == 1
	var err error
	v.each(func(i, j int, f float64) {
		if across {
			i = j
		}
		if i < 0 || i >= m {
			err = v.Fail(fmt.Sprintf("an entry at %d", i), fmt.Sprintf("positions below %d", m))
			return
		}
		if x[i] = f; f != math.Trunc(f) && !math.IsNaN(f) && err == nil {
			err = v.Fail(fmt.Sprintf("the label %g of node %d", f, i), "whole numbers")
		}
	})
	if err != nil {
		return nil, err
	}
	words := make([]string, m)
	for i, f := range x {
		if math.Abs(f) <= math.MaxInt32 {
			words[i] = strconv.Itoa(int(f))
		}
	}
	return NewLabelSet(v.Name, words), nil
}

func (v *Variable) oneHot(m int) (*multiplex.LabelSet, error) {
	a, err := v.Matrix(m, v.Cols())
	if err != nil {
		return nil, err
	}
	s := &multiplex.LabelSet{Name: v.Name, Of: make([]int, m)}
	for k := range a.Cols {
		s.Classes = append(s.Classes, strconv.Itoa(k))
	}
	for i := range m {
		row := a.Index[a.Start[i]:a.Start[i+1]]
		switch len(row) {
		case 0:
			s.Of[i] = multiplex.Missing
		case 1:
			s.Of[i] = int(row[0])
		default:
			return nil, v.Fail(fmt.Sprintf("%d classes in row %d", len(row), i), "at most one column that is not 0 in a row")
		}
	}
	return s, nil
}

// NewLabelSet makes classes of the values of a column: one for every different value,
// sorted, by number if all are whole numbers. "G2/G3" is a class of its own.
func NewLabelSet(name string, of []string) *multiplex.LabelSet {
	index := map[string]int{}
	s := &multiplex.LabelSet{Name: name, Of: make([]int, len(of))}
	whole := true
	for _, v := range of {
		if multiplex.IsMissing(v) {
			continue
		}
		name := input.Name(v)
		if at, ok := index[name]; !ok {
			index[name] = len(s.Classes)
			s.Classes = append(s.Classes, strings.Clone(v))
			whole = whole && input.IsWhole(v)
		} else if s.Classes[at] != v {
			s.Classes[at] = strings.Clone(name)
		}
	}
	found := slices.Clone(s.Classes)
	for c, i := range sorting.Order(len(found), func(i, j int) int {
		a, b := found[i], found[j]
		if whole {
			x, y := input.Canonical(a), input.Canonical(b)
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	}) {
		s.Classes[c], index[input.Name(found[i])] = found[i], c
	}
	for i, v := range of {
		s.Of[i] = multiplex.Missing
		if !multiplex.IsMissing(v) {
			s.Of[i] = index[input.Name(v)]
		}
	}
	return s
}

// Unlabelled takes the one class that is a number below 0, mostly -1, for missing labels if two
// others are left, and says what became of such classes; "" if there are none.
func Unlabelled(s *multiplex.LabelSet) string {
	var below []int
	for c, name := range s.Classes {
		if x, ok := input.Number(name); ok && x < 0 {
			below = append(below, c)
		}
	}
	if below == nil {
		return ""
	}
	name, words := s.Classes[below[0]], make([]string, len(s.Of))
	if len(below) > 1 || len(s.Classes) < 3 {
		return fmt.Sprintf("Labels %s: %s counts as a class, as the others do.", s.Name, name)
	}
	for i, c := range s.Of {
		if c != below[0] {
			words[i] = s.ClassOf(i)
		}
	}
	counts, _ := s.Counts()
	n := counts[below[0]]
	*s = *NewLabelSet(s.Name, words)
	return fmt.Sprintf("Labels %s: %s is no class: %s no label.", s.Name, name,
		figure.Does(n, "node", "has", "have"))
}

// AllDiffer reports whether every node that has a label has another one: they are names.
func AllDiffer(s *multiplex.LabelSet) bool {
	_, missing := s.Counts()
	return len(s.Classes) > 2 && len(s.Classes) == len(s.Of)-missing
}

// IsMeasured reports whether a class is a number that is not whole: these are measurements.
func IsMeasured(s *multiplex.LabelSet) bool {
	return slices.ContainsFunc(s.Classes, func(v string) bool { x, ok := input.Number(v); return ok && x != math.Trunc(x) })
}

// FewClasses reports whether an attribute may be taken for a category: from two to ten
// different whole numbers or thirty words, fewer than half of the nodes that have one.
// Other numbers are measurements.
func FewClasses(s *multiplex.LabelSet) bool {
	k, most := len(s.Classes), 10
	for _, v := range s.Classes {
		if input.IsWhole(v) {
			continue
		}
		if _, ok := input.Number(v); ok {
			return false
		}
		most = 30
	}
	_, missing := s.Counts()
	return k >= 2 && k <= most && 2*k <= len(s.Of)-missing
}

// NewColumn makes numbers of the values of a column; nil unless all values present are numbers, and some differ.
func NewColumn(name string, of []string) *multiplex.Column {
	c := &multiplex.Column{Name: name, Of: make([]float64, len(of))}
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range of {
		c.Of[i] = math.NaN()
		if multiplex.IsMissing(v) {
			continue
		}
		x, ok := input.Number(v)
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		c.Of[i], low, high = x, min(low, x), max(high, x)
	}
	if !(low < high) {
		return nil
	}
	return c
}
