package text

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

// Nodes beyond the limit are refused in the line of the first, with the word on where there may be more.
func TestTooManyNodes(t *testing.T) {
	r := newRegister("node", nil, 3)
	r.elsewhere = "; elsewhere more"
	s := &scanner{file: "a.edges"}
	var err error
	for s.line = 1; s.line <= 5 && err == nil; s.line++ {
		_, err = r.number(s, fmt.Sprint("n", s.line%4))
	}
	formatstest.CheckError(t, err, "a.edges:4: node: found more than 3 different ids, expected at most 3 nodes; elsewhere more")
}

// A list of links is not copied to be read: what reading it allocates is what the graph and its ids take.
func TestTextsAreNotCopied(t *testing.T) {
	list := []byte(strings.Repeat("1 17 23\n2 5 9\n", 1<<17))
	f := &input.File{Name: "a.edges", Data: list}
	var text string
	var err error
	took := frugal.Allocated(func() { text, err = input.Text(f) })
	if err != nil || len(text) != len(list) || took > 1<<16 {
		t.Fatalf("%d characters of %d, %d bytes allocated, %v", len(text), len(list), took, err)
	}
	list[0] = '7' // seen through the text: there is one place alone
	if text[0] != '7' {
		t.Error("the text is a copy")
	}
}
