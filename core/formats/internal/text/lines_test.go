package text

import (
	"slices"
	"strings"
	"testing"
)

// A line is split by the rules of its file, whatever is in quotes.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		separator byte
		line      string
		want      string // with bars between the fields
	}{
		{',', `a,"b,c",d`, "a|b,c|d"}, {',', `a, "say ""hi""" ,`, `a|say "hi"|`}, {',', ` a , b `, "a|b"}, {',', `5" pipe,x`, `5" pipe|x`},
		{';', `Lee, Ann;"Ray; Bob"`, "Lee, Ann|Ray; Bob"}, {'\t', "Ann Lee\t\tx", "Ann Lee||x"}, {'\t', "\"a\tb\"\tc", "a\tb|c"},
		{' ', "  a \t b  ", "a|b"}, {' ', `"Ann Lee" "Bob" 1`, "Ann Lee|Bob|1"}, {' ', `4 "><script>`, `4|"><script>`}, {' ', "a\u00a0b é", "a|b|é"},
	} {
		got, closed := (layout{separator: c.separator}).split(c.line, nil)
		if !closed || strings.Join(got, "|") != c.want {
			t.Errorf("%q at %q: %q", c.line, c.separator, got)
		}
	}
	if got, _ := (layout{separator: ';', comma: true}).split("1,5;a,b;-,25", nil); !slices.Equal(got, []string{"1.5", "a,b", "-.25"}) {
		t.Errorf("decimal commas: %q", got)
	}
}

// The first of tab, semicolon and comma that cuts all lines alike separates a file.
func TestLayoutOf(t *testing.T) {
	for text, want := range map[string]layout{
		"a\tb,c\nd\te,f\n": {'\t', false, false, nil, 0}, "a;b\nLee, Ann;Ray\n": {';', false, false, nil, 0}, "a,b\n1,2\n": {',', false, false, nil, 0}, "1 2\n3 4\n": {' ', false, false, nil, 0},
		"a;w\nx;1,5\n": {';', true, false, nil, 0}, "1 2\t3\n4 5\t6\n": {' ', false, false, nil, 0}, "1, 2\n3, 4\n": {',', false, false, nil, 0}, "0,5 1\n1,5 2\n": {' ', true, false, nil, 0},
		"a\tw\nb\t12,500\nc\t3,250\n": {'\t', false, true, nil, 0}, "a\tw\nb\t12,500\nc\t0,250\n": {'\t', true, false, nil, 0}, "a\tw\n1\t1,200\n2\t.5\n": {'\t', false, false, nil, 0},
		"a,note\nx,one; two\ny,three\n": {',', false, false, nil, 0}, "# a;b\na,b\n1,2\n": {',', false, false, nil, 0}, "x\ny\n": {' ', false, false, nil, 0},
	} {
		if got := layoutOf(text); got != want {
			t.Errorf("%q: %c, decimal commas %v", text, got.separator, got.comma)
		}
	}
}
