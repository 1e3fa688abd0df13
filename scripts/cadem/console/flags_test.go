package console

import (
	"bytes"
	"flag"
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	for _, c := range []struct {
		args        []string
		code        int
		ok          bool
		out, errors string
	}{
		{[]string{"-dir", "x"}, 0, true, "", ""},
		{[]string{"-h"}, 0, false, "usage: serve [flag]...\n\n  -dir string\n", ""},
		{[]string{"--help"}, 0, false, "usage: serve [flag]...\n\n  -dir string\n", ""},
		{[]string{"foo"}, 2, false, "", `serve: found the argument "foo", expected flags alone`},
		{[]string{"-dir", "x", "foo"}, 2, false, "", `serve: found the argument "foo", expected flags alone`},
		{[]string{"-foo"}, 2, false, "", "serve: flag provided but not defined: -foo; -h lists the flags"},
	} {
		f := flag.NewFlagSet("serve", flag.ExitOnError)
		dir := f.String("dir", "", "folder")
		var out, errors bytes.Buffer
		code, ok := ParseFlags(f, c.args, &out, &errors)
		if code != c.code || ok != c.ok || !strings.HasPrefix(out.String(), c.out) || !strings.HasPrefix(errors.String(), c.errors) ||
			(out.Len() > 0) != (c.out != "") || (errors.Len() > 0) != (c.errors != "") || ok && *dir != "x" {
			t.Errorf("%v: %d, %v, %q, %q", c.args, code, ok, &out, &errors)
		}
	}
}
