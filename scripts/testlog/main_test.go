package main

import (
	"bytes"
	"strings"
	"testing"
)

const events = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"noise\n"}
{"Action":"pass","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestData","Output":"    a_test.go:7: the data are not here\n"}
{"Action":"output","Package":"a","Test":"TestData","Output":"--- SKIP: TestData (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestData"}
{"Action":"output","Package":"a","Test":"TestElsewhere","Output":"    a_test.go:9: needs a browser\n"}
{"Action":"skip","Package":"a","Test":"TestElsewhere"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t1s\n"}
{"Action":"pass","Package":"a"}
`

func TestSkipsAreCountedOverAllRuns(t *testing.T) {
	var out, notes bytes.Buffer
	if err := follow(strings.NewReader(events), &out, &notes); err != nil || out.String() != "ok  \ta\t1s\n" {
		t.Errorf("%v, printed %q", err, &out)
	}
	later := `{"Action":"pass","Package":"a","Test":"TestElsewhere/b","Elapsed":40}` + "\n" +
		`{"Action":"pass","Package":"a","Test":"TestElsewhere","Elapsed":41.2}` + "\n" + `{"Action":"pass","Package":"a"}` + "\n"
	if err := follow(strings.NewReader(later), &out, &notes); err != nil {
		t.Error(err)
	}
	out.Reset()
	if err := summarise(&notes, &out); err != nil {
		t.Error(err)
	}
	if want := "3 tests ran, 1 skipped.\nLongest, in seconds beside others:\n    41  a TestElsewhere\n  the data are not here: TestData\n"; out.String() != want {
		t.Errorf("it prints %q, expected %q", &out, want)
	}
}

func TestFailuresArePrinted(t *testing.T) {
	for name, c := range map[string]struct{ events, printed, failure string }{
		"a test": {`{"Action":"output","Package":"a","Test":"TestBad","Output":"--- FAIL: TestBad\n"}
{"Action":"fail","Package":"a","Test":"TestBad"}
{"Action":"fail","Package":"a"}
`, "--- FAIL: TestBad\n", "tests failed"},
		"a panic": {`{"Action":"output","Package":"a","Test":"TestBad","Output":"panic: no\n"}
{"Action":"fail","Package":"a"}
`, "panic: no\n", "tests failed"},
		"a build": {`{"ImportPath":"a","Action":"build-output","Output":"a.go:1: no\n"}
{"Action":"fail","Package":"a"}
`, "a.go:1: no\n", "tests failed"},
		"no tests": {"go: no such package\n", "go: no such package\n", "no package was tested"},
	} {
		var out, notes bytes.Buffer
		err := follow(strings.NewReader(c.events), &out, &notes)
		if err == nil || err.Error() != c.failure || out.String() != c.printed {
			t.Errorf("%s: %v, printed %q", name, err, &out)
		}
	}
}
