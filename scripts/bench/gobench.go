package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A benched is what a Go benchmark tells.
type benched struct {
	name  string             // after that of the function, with spaces
	value map[string]float64 // by unit
}

// goBench runs benchmarks of a package once, on one processor natively or in a worker of the browser. What is shorter than a time is
// repeated for so long.
func (b *bench) goBench(tab bool, pkg, function, atLeast string) ([]benched, error) {
	args := []string{"test", "-run", "^$", "-bench", "^" + function + "$", "-benchtime", atLeast, "-cpu", "1", "-timeout", "0"}
	env, tags := os.Environ(), "noasm"
	if tab {
		tags = "noasm,simd,methods"
		args = append(args, "-exec", "env GOOS= GOARCH= go run cadem/scripts/wasmtest -limit 1h")
		env = append(env, "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=")
	}
	c := b.command("go", append(args, "-tags", tags, pkg)...)
	c.Env = env
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", c, err, out, &log)
	}
	return parseBench(function, out)
}

// parseBench reads the lines that benchmarks print: a name, how often it ran, and pairs of a number and its unit.
func parseBench(function string, out []byte) (list []benched, err error) {
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		word := strings.Fields(lines.Text())
		if len(word) < 4 || !strings.HasPrefix(word[0], function+"/") {
			continue
		}
		r := benched{strings.ReplaceAll(strings.TrimPrefix(word[0], function+"/"), "_", " "), map[string]float64{}}
		for i := 2; i+1 < len(word); i += 2 {
			if r.value[word[i+1]], err = strconv.ParseFloat(word[i], 64); err != nil {
				return nil, fmt.Errorf("%s: found %q, expected a number before %s", word[0], word[i], word[i+1])
			}
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: found no figures in\n%s", function, out)
	}
	return list, nil
}
