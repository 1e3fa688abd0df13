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
	out, err := chain.listed("{{.ImportPath}}")
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

// TestFirstProgramIsLean looks into the program of a first visit for what belongs to others: the texts of the experiments and of a reader's errors,
// its tables of formats, and compression; and into each for what another one is there for: the trainer of CaDeM, what splits inputs before it, the
// experiments, statistics of brains, and methods that need gradients. No program has what only a few
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
	const first, whole, studies, methods = 0, 1, 2, 3
	of := map[string]int{"a complete zip archive": whole, "Write after Close": whole, "(SIF of Cytoscape)": whole, "pandas.read_parquet": whole}
	for _, s := range experiments.All() {
		of[s.Title] = studies
	}
	names := strings.ReplaceAll(module, "/", "_") // as in the section of names
	neither := []string{"mat: bad region: identical", "encoding_binary.encodeFast", "encoding_binary.decodeFast", "fmt.Fscan",
		names + "_core_cadem_split.Prepare_go.shape.float64_", names + "_core_baseline_tape.Tape_go.shape.float64_"}
	gradients, trainer, experiment, split := names+"_core_baseline_tape.", names+"_core_cadem.New", names+"_core_lab_study_experiments.",
		names+"_core_cadem_split.Prepare_go.shape.float32_"
	statistics := names + "_core_brain_stats."
	for i, p := range programs {
		path, file := p.path, filepath.Join(t.TempDir(), "program.wasm")
		if err := linked(chain, path, file); err != nil { // as it ships, except for the names
			t.Fatal(err)
		}
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for text, at := range of {
			if has := bytes.Contains(program, []byte(text)); has != (i == at) && (i == at || i == first || at == studies) {
				t.Errorf("%s has %q: %v", path, text, has)
			}
		}
		if named := names + "_core_base_kernel.Mul_go.shape.float32_"; !bytes.Contains(program, []byte(named)) {
			t.Errorf("%s does not name %s: functions have other names", path, named)
		}
		for name, has := range map[string]bool{gradients: i == methods, trainer: i != methods, experiment: i == studies, statistics: i == studies,
			split: i != first} {
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
