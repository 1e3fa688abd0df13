package compact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// program makes the runtime look its tables up: it collects garbage under deep stacks,
// recovers, and panics.
const program = `package main

import (
	"fmt"
	"runtime"
)

type node struct{ next *node; pad [40]int }

func deep(n int, l *node) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	defer func() { l.pad[0]++ }()
	return 1 + deep(n-1, &node{next: l})
}

func careful() (err any) {
	defer func() { err = recover() }()
	var m map[string]int
	m["x"] = 1
	return nil
}

func main() {
	fmt.Println(deep(2000, &node{}), careful())
	done := make(chan int)
	go func() { done <- deep(500, &node{}) }()
	fmt.Println(<-done)
	fmt.Println(pick(nil, len(done)+3))
}

//go:noinline
func pick(list []int, i int) int { return list[i] }
`

// compiled returns the program as the linker leaves it.
func compiled(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": program, "go.mod": "module program\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", "program.wasm", ".")
	c.Dir, c.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "program.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// said runs a program under node and returns its output.
func said(t *testing.T, module []byte) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(path, module, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "--stack-size=4000", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), path)
	c.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("%v, expected exit code 2\n%s", err, out)
	}
	return string(out)
}

func TestPositions(t *testing.T) {
	before, err := Segments(compiled(t))
	if err != nil {
		t.Fatal(err)
	}
	after, err := Positions(before, runtime.Version())
	if err != nil {
		t.Fatal(err)
	}
	if len(after) != len(before) || bytes.Equal(after, before) {
		t.Fatalf("%d bytes of %d", len(after), len(before))
	}
	if !bytes.Contains(before, []byte("main.go")) || bytes.Contains(after, []byte("main.go")) || bytes.Contains(after, []byte("panic.go")) {
		t.Error("file names are still there")
	}
	// The same course, the same functions; only files, lines and arguments are unknown.
	was, is := strings.Split(said(t, before), "\n"), strings.Split(said(t, after), "\n")
	if len(was) != len(is) {
		t.Fatalf("%q\n%q", was, is)
	}
	places := 0
	for i := range was {
		if strings.HasPrefix(was[i], "\t") {
			places++
			_, offset, _ := strings.Cut(was[i], " ")
			if is[i] != "\t?:0 "+offset {
				t.Errorf("%q was %q", is[i], was[i])
			}
		} else if name, _, call := strings.Cut(was[i], "("); is[i] != was[i] && !(call && places == 0 && is[i] == name+"()") {
			t.Errorf("%q was %q", is[i], was[i])
		}
	}
	if places < 2 || is[0] != "2000 assignment to entry in nil map" || is[1] != "500" {
		t.Errorf("%q", is)
	}

	if _, err := Positions(module(segment{16, []byte("no table")}), runtime.Version()); err != ErrLayout {
		t.Errorf("a module without a table: %v", err)
	}

	for _, version := range []string{"go1.99", "go1.19.4", "devel go1.28-abc", ""} {
		if _, err := Positions(before, version); err != ErrLayout {
			t.Errorf("a program of %q: %v", version, err)
		}
	}

	// A table that is not as expected is found out, or at least harms nobody.
	start := bytes.Index(before, binary.LittleEndian.AppendUint64(nil, tableMagic|1<<48|8<<56))
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 30 {
		bad := bytes.Clone(before)
		for range 1 + random.IntN(3) {
			bad[start+8+random.IntN(64)] ^= byte(1 << random.IntN(8))
		}
		if _, err := Positions(bad, runtime.Version()); errors.Is(err, ErrLayout) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if refused < 20 {
		t.Errorf("%d of 30 damaged tables were refused", refused)
	}
}
