package formats

import (
	"bytes"
	"slices"
	"testing"
)

func TestPacked(t *testing.T) {
	pages := [][]byte{make([]byte, pageSize), bytes.Repeat([]byte{1, 2, 3, 4}, pageSize/4), bytes.Repeat([]byte{7}, pageSize), make([]byte, pageSize), {0, 0, 5}}
	for k := range pages[3] {
		if k%97 == 0 {
			pages[3][k] = byte(k + 1)
		}
	}
	p := &packed{}
	kept := 0
	for _, page := range pages {
		kept += p.add(page)
	}
	if !bytes.Equal(p.bytes(), slices.Concat(pages...)) {
		t.Error("other bytes came back")
	}
	if kept > 1000 {
		t.Errorf("%d bytes are kept of pages that repeat one word or are almost empty", kept)
	}
}
