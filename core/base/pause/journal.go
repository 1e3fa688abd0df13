package pause

// A Journal keeps what parts of longer work found, in their order, so that work which was given up goes on with the part after them. Nil keeps nothing.
type Journal struct {
	Parts []Part
	next  int
}

// A Part is a finished one.
type Part struct {
	Name  string
	Work  int         // multiply-adds
	Found [][]float64 // any number of lists, each of any length: what the part gave
}

// Do does the next part, or returns the lists that it gave before, of any number and length. Work counts the multiply-adds that are done by now.
func (j *Journal) Do(name string, work *int, do func() ([][]float64, error)) ([][]float64, error) {
	if j == nil {
		return do()
	}
	if j.next < len(j.Parts) && j.Parts[j.next].Name == name {
		*work += j.Parts[j.next].Work
	} else {
		before := *work
		found, err := do()
		if err != nil {
			return nil, err
		}
		j.Parts = append(j.Parts[:j.next], Part{name, *work - before, found})
	}
	j.next++
	return j.Parts[j.next-1].Found, nil
}
