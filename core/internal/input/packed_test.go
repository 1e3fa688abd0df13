package input_test

import (
	"bytes"
	"slices"
	"testing"

	"cadem.example/core/internal/input"
)

func TestPacked(t *testing.T) {
	pages := [][]byte{make([]byte, input.PageSize), bytes.Repeat([]byte{1, 2, 3, 4}, input.PageSize/4), bytes.Repeat([]byte{7}, input.PageSize),
		make([]byte, input.PageSize), {0, 0, 5}}
	for k := range pages[3] {
		if k%97 == 0 {
			pages[3][k] = byte(k + 1)
		}
	}
	p := &input.Packed{}
	kept := 0
	for _, page := range pages {
		kept += p.Add(page)
	}
	if !bytes.Equal(p.Bytes(), slices.Concat(pages...)) {
		t.Error("other bytes came back")
	}
	if kept > 1000 {
		t.Errorf("%d bytes are kept of pages that repeat one word or are almost empty", kept)
	}
}
