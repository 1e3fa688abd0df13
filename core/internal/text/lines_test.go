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
		"a\tb,c\nd\te,f\n":                {separator: '\t'},
		"a;b\nLee, Ann;Ray\n":             {separator: ';'},
		"a,b\n1,2\n":                      {separator: ','},
		"1 2\n3 4\n":                      {separator: ' '},
		"a;w\nx;1,5\n":                    {separator: ';', comma: true},
		"1 2\t3\n4 5\t6\n":                {separator: ' '},
		"1, 2\n3, 4\n":                    {separator: ','},
		"0,5 1\n1,5 2\n":                  {separator: ' ', comma: true},
		"a\tw\nb\t12,500\nc\t3,250\n":     {separator: '\t', unclear: true},
		"a\tw\nb\t12,500\nc\t0,250\n":     {separator: '\t', comma: true},
		"a\tw\n1\t1,200\n2\t.5\n":         {separator: '\t'},
		"w,a\n\"1,200\",b\n800,c\n":       {separator: ',', grouped: 1},
		"w,a\n\"1,200\",b\n\"1,800\",c\n": {separator: ','},
		"w,a\n\"1,200,000\",b\nx,c\n":     {separator: ','},
		"a,note\nx,one; two\ny,three\n":   {separator: ','},
		"# a;b\na,b\n1,2\n":               {separator: ','},
		"x\ny\n":                          {separator: ' '},
	} {
		if got := layoutOf(text); got != want {
			t.Errorf("%q: %c, decimal commas %v", text, got.separator, got.comma)
		}
	}
}
