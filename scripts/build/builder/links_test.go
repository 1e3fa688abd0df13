package builder

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/study/experiments"
)

// TestProgramLinks keeps out of the page's programs what has a smaller counterpart here.
func TestProgramLinks(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	chain, err := findToolchain(root)
	if err != nil {
		t.Fatal(err)
	}
	out, err := chain.run(forBrowser, append([]string{"list", "-tags", tags(mains[1]), "-deps"}, mains...)...)
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for large, instead := range map[string]string{"encoding/json": module + "/core/base/json", "encoding/xml": module + "/core/internal/xml"} {
		if slices.Contains(linked, large) || !slices.Contains(linked, instead) {
			t.Errorf("the programs link %s, expected %s", large, instead)
		}
	}
}

// TestFirstProgramIsLean looks into the program of a first visit for what belongs to the whole
// one alone: the texts of the experiments and of a reader's errors, its tables of formats, and compression; and into each for what another one is
// there for: the trainer of CaDeM, what splits inputs before it, the experiments, and methods that need gradients. No program has what only a few
// calls would link: what copies between any two of gonum's matrices, packing and scanning of values of any type, and double
// precision.
func TestFirstProgramIsLean(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	chain, err := findToolchain(root)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range experiments.All() {
		texts = append(texts, s.Title)
	}
	texts = append(texts, "a complete zip archive", "Write after Close", "(SIF of Cytoscape)", "pandas.read_parquet")
	names := strings.ReplaceAll(module, "/", "_") // as in the section of names
	neither := []string{"mat: bad region: identical", "encoding_binary.encodeFast", "encoding_binary.decodeFast", "fmt.Fscan",
		names + "_core_cadem_split.Prepare_go.shape.float64_", names + "_core_baseline_tape.Tape_go.shape.float64_"}
	gradients, trainer, experiment, split := names+"_core_baseline_tape.", names+"_core_cadem.New", names+"_core_lab_study_experiments.",
		names+"_core_cadem_split.Prepare_go.shape.float32_"
	for i, path := range mains {
		file := filepath.Join(t.TempDir(), "program.wasm")
		if err := chain.link(path, file); err != nil { // as it ships, except for the names
			t.Fatal(err)
		}
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if whole := i == 1; i < 2 && bytes.Contains(program, []byte(text)) != whole {
				t.Errorf("%s has %q: %v, expected %v", path, text, !whole, whole)
			}
		}
		if named := names + "_core_base_kernel.Mul_go.shape.float32_"; !bytes.Contains(program, []byte(named)) {
			t.Errorf("%s does not name %s: functions have other names", path, named)
		}
		for name, has := range map[string]bool{gradients: i == 2, trainer: i < 2, experiment: i == 1, split: i > 0} {
			if bytes.Contains(program, []byte(name)) != has {
				t.Errorf("%s links %s: %v, expected %v", path, name, !has, has)
			}
		}
		for _, name := range neither {
			if bytes.Contains(program, []byte(name)) {
				t.Errorf("%s links %s", path, name)
			}
		}
	}
}
