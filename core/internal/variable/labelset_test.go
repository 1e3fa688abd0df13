package variable

import "testing"

// Columns hold numbers as programs write them: what Go alone reads as one is a word.
func TestNewColumn(t *testing.T) {
	if c := NewColumn("age", []string{"1.5", "NA", "2e1"}); c == nil || c.Of[0] != 1.5 || c.Of[1] == c.Of[1] || c.Of[2] != 20 {
		t.Errorf("%+v", c)
	}
	for _, word := range []string{"1_000", "0x1p4", "inf", "x"} {
		if c := NewColumn("code", []string{"1", word, "2"}); c != nil {
			t.Errorf("%s: %v", word, c.Of)
		}
	}
}
