package input_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/internal/input"
)

// Numbers are those of strconv, to the bit, in any way of writing them; what it refuses is none, nor are grouped and hexadecimal digits.
func TestNumber(t *testing.T) {
	check := func(s string) {
		t.Helper()
		want, err := strconv.ParseFloat(s, 64)
		isNumber := (err == nil || math.IsInf(want, 0)) && !strings.ContainsAny(s, "_xX")
		got, ok := input.Number(s)
		if ok != isNumber || ok && math.Float64bits(got) != math.Float64bits(want) && !math.IsNaN(want) {
			t.Errorf("%q: %v, %t, expected %v, %t", s, got, ok, want, isNumber)
		}
	}
	for _, s := range strings.Split("|-|.|-.|+|0|-0|.5|5.|-.5|+5|1e3|1E-3|nan|-inf|Infinity|1e999|-1e999|1..2|1.2.3|--1|1-|1,5|1_000|0x10|0X1p-2|"+
		"999999999999999|9999999999999999|.999999999999999|.9999999999999999|123456789.123456|123456789.1234567|0.1|0.30000000000000004|٣| 1|1 ", "|") {
		check(s)
	}
	draw, letters := rng.New(1, "numbers"), "0123456789012345678901234567890123456789..-+eE_x "
	for range 100_000 {
		b := make([]byte, draw.IntN(20))
		for i := range b {
			b[i] = letters[draw.IntN(len(letters))]
		}
		check(string(b))
		x := (draw.Float64() - .5) * math.Pow(10, float64(draw.IntN(12)))
		check(strconv.FormatFloat(x, 'f', draw.IntN(12), 64))
		check(strconv.FormatFloat(x, 'g', -1, 64))
	}
}

func BenchmarkNumber(b *testing.B) {
	for range b.N {
		if _, ok := input.Number("-10317.87"); !ok {
			b.Fatal("no number")
		}
	}
}
