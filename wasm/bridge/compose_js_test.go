package bridge

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Letters are composed here as natively.
func TestComposed(t *testing.T) {
	for from := rune(0); from < 0x10000; from += 0x100 {
		var b strings.Builder
		for r := from; r < from+0x100; r++ {
			if unicode.IsGraphic(r) { // others are no letters, or the browser may know some that came later
				b.WriteString("|" + string(r) + "|" + norm.NFD.String(string(r)) + "\u0323")
			}
		}
		if got, want := Composed(b.String()), norm.NFC.String(b.String()); got != want {
			t.Errorf("from %#x: %q, natively %q", from, got, want)
		}
	}
}
