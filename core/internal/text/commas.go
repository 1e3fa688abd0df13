package text

import (
	"fmt"
	"math/bits"
	"strings"

	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// thousands returns the columns that hold numbers alone, some with commas between thousands, as 1,719. A number below 1,000, a second comma
// or a point says that these are not decimal.
func (l layout) thousands(text string) (columns uint64) {
	digit := func(at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }
	some := false
	for at := 1; !some && at < len(text); at++ { // few texts have any
		next := strings.IndexByte(text[at:], ',')
		if at += next; next < 0 {
			return 0
		}
		some = digit(at-1) && digit(at+1) && digit(at+2) && digit(at+3) && !digit(at+4)
		if some && l.separator == ',' {
			some = strings.HasPrefix(strings.TrimLeft(text[at+4:min(at+24, len(text))], ".0123456789"), `"`)
		}
	}
	if !some {
		return 0
	}
	var has, sure, not, whole, fractions uint64
	rows := 0
	for fields := range l.records(text) {
		for k, f := range fields[:min(len(fields), widest)] {
			before, part, point := strings.Cut(f, ".")
			groups, bit := strings.Split(before, ","), uint64(1)<<k
			grouped := len(groups) > 1 && hasThousands(groups[0]+",000") && (part == "" || input.IsWhole(part))
			for _, g := range groups[1:] {
				grouped = grouped && len(g) == 3 && input.IsWhole(g)
			}
			x, number := input.Number(f)
			switch {
			case grouped:
				has |= bit
				sure |= bit * uint64(btoi(point || len(groups) > 2))
				whole |= bit * uint64(btoi(!point))
			case number && x > -1000 && x < 1000 && x != 0: // matrices are full of 0
				sure |= bit
				fractions |= bit * uint64(btoi(point))
			case rows > 0 && !multiplex.IsMissing(f): // the first may be a title
				not |= bit
			}
		}
		rows++
	}
	if has &= ^not &^ (whole & fractions); has&sure == 0 { // decimals would be written in two ways
		return 0
	}
	return has
}

// decimalCommas reports whether numbers of a text have a decimal comma and none has a point; it is unclear if all of them could be
// whole numbers with separated thousands.
func (l layout) decimalCommas(text string) (found, unclear bool) {
	if strings.IndexByte(text, ',') < 0 {
		return false, false
	}
	decimal := false
	for fields := range l.records(text) {
		for k, f := range fields {
			if l.grouped>>k&1 > 0 {
				continue
			}
			if strings.IndexByte(f, '.') >= 0 {
				if _, ok := input.Number(f); ok {
					return false, false
				}
			}
			if !decimal && isDecimalComma(f) {
				found, decimal = true, !hasThousands(f)
			}
		}
	}
	return decimal, found && !decimal
}

// hasThousands reports whether the comma of a number may separate thousands, as in 12,500.
func hasThousands(f string) bool {
	whole, rest, _ := strings.Cut(strings.TrimLeft(f, "+-"), ",")
	return len(rest) == 3 && input.IsWhole(rest) && len(whole) <= 3 && input.IsWhole(whole) && whole[0] != '0'
}

// isDecimalComma reports whether a field is a number with a decimal comma, such as 1,5 or -,5e3.
func isDecimalComma(f string) bool {
	whole, part, ok := strings.Cut(f, ",")
	if ok && strings.IndexByte(part, ',') < 0 {
		_, ok = input.Number(whole + "." + part)
		return ok
	}
	return false
}

// clearComma says how a number with a comma is written so that it is clear.
func clearComma(f string) string {
	return fmt.Sprintf("a number whose comma is clear: %s if it separates thousands, %s if it is decimal",
		strings.ReplaceAll(f, ",", ""), strings.Replace(f, ",", ".", 1))
}

// commas says how the commas of numbers were read; "" where there are none.
func (l *layout) commas(file string) string {
	switch {
	case l.grouped > 0:
		return fmt.Sprintf("%s: the commas of numbers in column %d were read as separators of thousands.",
			file, 1+bits.TrailingZeros64(l.grouped))
	case l.comma:
		return file + ": the commas of numbers were read as decimal."
	}
	return ""
}
