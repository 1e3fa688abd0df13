package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms are the packages of the core and of the browser's programs in the order of the map: each
// imports only what stands before it. A room holds the packages below it that have no line of
// their own.
var rooms = []string{
	// What everything may use.
	"core/diag", "core/figure", "core/json", "core/property", "core/schema", "core/kernel", "core/rng", "core/linalg",
	// Graphs, and where they come from.
	"core/multiplex", "core/graphsignal", "core/formats", "core/connectome", "core/synth",
	// Methods, and what is asked of their embeddings.
	"core/cadem", "core/evaluate", "core/project", "core/parity",
	// One run, many tasks, the experiments of the paper.
	"core/run", "core/study/chart", "core/study/measure", "core/study", "core/study/experiments",
	// What sees JavaScript.
	"wasm/compact", "wasm/bridge", "wasm/store", "wasm/worker", "wasm/page", "wasm",
}

// mostFiles of a package, tests counted apart: as many as fit on a screen.
const mostFiles = 25

// place returns where the room of a package stands in the list, -1 if it has none.
func place(folder string) int {
	for ; folder != "."; folder = path.Dir(folder) {
		if i := slices.Index(rooms, folder); i >= 0 {
			return i
		}
	}
	return -1
}

// sources calls f with every Go file below the core and the browser's programs, its folder beginning
// with core or wasm.
func sources(t *testing.T, f func(folder, name string)) {
	t.Helper()
	top := os.DirFS("..")
	seen := 0
	for _, root := range []string{"core", "wasm"} {
		err := fs.WalkDir(top, root, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.HasSuffix(name, ".go") {
				seen++
				f(path.Dir(name), name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Fatalf("%d files read", seen)
	}
}

// No import runs against the order of the map.
func TestImportsFollowTheMap(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(folder, name string) {
		if strings.HasSuffix(name, "_test.go") || folder == "core" {
			return
		}
		own := place(folder)
		if own < 0 {
			t.Errorf("%s has no room on the map", folder)
			return
		}
		used[rooms[own]] = true
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			other, ours := strings.CutPrefix(imported, "cadem/")
			if ours && place(other) > own {
				t.Errorf("%s imports %s, which stands behind it on the map", name, imported)
			}
		}
	})
	for _, room := range rooms {
		if !used[room] {
			t.Errorf("%s is on the map and holds nothing", room)
		}
	}
}

// Nobody has to look for a file among too many.
func TestPackagesAreSmall(t *testing.T) {
	files := map[string]int{}
	sources(t, func(folder, name string) {
		if strings.HasSuffix(name, "_test.go") {
			folder += ", tests"
		}
		files[folder]++
	})
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		if files[folder] > mostFiles {
			t.Errorf("%s: %d files, at most %d", folder, files[folder], mostFiles)
		}
	}
}
