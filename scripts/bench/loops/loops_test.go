package loops

import (
	"os"
	"strings"
	"testing"

	"cadem/core/kernel"
)

// Every loop has a key of its own, which the program for PyTorch knows, too.
func TestKeys(t *testing.T) {
	text, err := os.ReadFile("../torch/loops.py")
	if err != nil {
		t.Fatal(err)
	}
	list := All()
	for _, l := range list {
		if Find(list, l.Key) != l {
			t.Errorf("two loops have the key %s", l.Key)
		}
		if !strings.Contains(string(text), `"`+l.Key+`": lambda:`) {
			t.Errorf("torch/loops.py lacks %s", l.Key)
		}
	}
	if Find(list, "none") != nil {
		t.Error("there is a loop of another key")
	}
}

// Loops find the same bits in vectors and scalar, and again on fresh arrays.
func TestCheck(t *testing.T) {
	for _, key := range []string{"softmax64", "skipgram32"} {
		l := Find(All(), key)
		want := l.Check()
		l.Milliseconds() // changes its own arrays only
		before := kernel.UseVectors(false)
		got := l.Check()
		kernel.UseVectors(before)
		if got != want || want.Sum == 0 {
			t.Errorf("%s: found %v, expected %v", key, got, want)
		}
	}
}
