package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

func ExampleFixed() {
	fmt.Println(Fixed(-0.0125, 3), AtMost(8, 3), Short(0.0000123), Chance(0.33))
	// Output: −0.013 8 1.23e−5 0.330
}

func TestFigures(t *testing.T) {
	for got, want := range map[string]string{
		Fixed(-0.00001, 3): "0.000", Fixed(-0.5, 0): "0", Fixed(-1, 0): "−1", Fixed(0.9996, 3): "1.000", Fixed(100, 0): "100", Fixed(math.NaN(), 3): "NaN",
		AtMost(7.6, 3): "7.6", AtMost(-100, 3): "−100", AtMost(0.1, 3): "0.1", AtMost(120, 0): "120",
		Short(math.Inf(1)): "+Inf",
		Chance(0.33):       "0.330", Chance(0.001): "0.001", Chance(0): "<\u00a00.001", Chance(1): "1.000",
		Signs("from -0.5 to -2 (-1), task-3 of 2020-01, 1e-5, a-1"): "from −0.5 to −2 (−1), task-3 of 2020-01, 1e−5, a-1", Signs("-"): "-", Signs(""): "",
		Signs("n-1-1"): "n-1-1",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The page writes the same: www/dom/figures.test.mjs reads this table, too.
func TestShort(t *testing.T) {
	text, err := os.ReadFile("testdata/short.json")
	if err != nil {
		t.Fatal(err)
	}
	var table [][2]any
	if err := json.Unmarshal(text, &table); err != nil || len(table) < 10 {
		t.Fatalf("%d rows, error %v", len(table), err)
	}
	for _, row := range table {
		if got := Short(row[0].(float64)); got != row[1] {
			t.Errorf("%v: %q, want %q", row[0], got, row[1])
		}
	}
}
