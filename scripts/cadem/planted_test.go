package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/scripts/e2e/xcpd"
)

// plantedFolder writes a folder as XCP-D leaves it.
func plantedFolder(t *testing.T, seed uint64, parcels int, effects bool) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range xcpd.Folder(seed, parcels, effects) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tablesOf runs a study of a folder, without lines in what it prints, and returns its tables beside out by the ends of their names.
func tablesOf(t *testing.T, dir string, args ...string) (text string, tables map[string][][]string) {
	t.Helper()
	var out, said bytes.Buffer
	at := filepath.Join(t.TempDir(), "a.csv")
	if err := execute(t.Context(), append([]string{"study", args[0], "-data", dir, "-out", at}, args[1:]...), &out, &said); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(at), "*"))
	tables = map[string][][]string{}
	for _, name := range names {
		b, err2 := os.ReadFile(name)
		rows, err3 := csv.NewReader(bytes.NewReader(b)).ReadAll()
		err = errors.Join(err, err2, err3)
		tables[strings.TrimPrefix(strings.TrimSuffix(filepath.Base(name), ".csv"), "a-")] = rows
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(out.String()+said.String()), " "), tables
}

// edgesOf are the connections of a table with a corrected p below .05, with the sign of t.
func edgesOf(t *testing.T, table [][]string) (list []string) {
	t.Helper()
	at := func(name string) int { return slices.Index(table[0], name) }
	for _, row := range table[1:] {
		if p, err := strconv.ParseFloat(row[at("corrected")], 64); err != nil {
			t.Error(err)
		} else if p < .05 {
			list = append(list, row[0]+" "+row[1]+" "+strings.Trim(row[at("t")], "0123456789."))
		}
	}
	return list
}

func edge(e [2]int, sign string) string {
	return xcpd.Region(e[0]) + " " + xcpd.Region(e[1]) + " " + sign
}

// In a folder as XCP-D leaves it what is planted, and nothing else, is found and named; every recording is in the sheet of inclusion.
func TestPlantedFolder(t *testing.T) {
	dir := plantedFolder(t, 1, 156, true)
	const first = "sessions=1"
	rest := []string{"-choose", "condition=group", "-choose", first, "-set", "permutations=299"}
	text, tables := tablesOf(t, dir, append([]string{"contrast", "-set", "first=patient", "-set", "covariates=age,site,motion"}, rest...)...)
	found := edgesOf(t, tables["connections"])
	slices.Sort(found)
	if want := []string{edge(xcpd.InControls, "-"), edge(xcpd.InPatients, "")}; !slices.Equal(found, want) {
		t.Errorf("groups: %q, planted %q", found, want)
	}
	for _, want := range []string{"R2 of the groups on them: 0.",
		"Scans keep 36 to 180 frames, the fewest those of 05, patient", "runs=none would take it instead",
		"Left out: 11 (without age, site), 07 (of another session than 1), 09 (of a subject without group).",
		"left out of all: " + xcpd.Region(xcpd.Empty)} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %.1500s", want, text)
		}
	}
	sheet := tables["inclusion"]
	for _, want := range [][]string{
		{"01", "patient", "sub-01_ses-1_task-rest_run-1_space-fsLR_seg-4S156Parcels_stat-mean_timeseries.tsv and 1 more", "180", "180", "", "155", ""},
		{"05", "patient", "sub-05_ses-1_task-rest_run-1_space-fsLR_seg-4S156Parcels_stat-mean_timeseries.tsv", "36", "36", "", "155", ""},
		{"11", "patient", "sub-11_ses-1_task-rest_run-1_space-fsLR_seg-4S156Parcels_stat-mean_timeseries.tsv and 1 more", "", "", "", "", "without age, site"},
		{"07", "ses-2 task-rest run-1, ses-2 task-rest run-2", "", "", "", "", "", "of another session than 1"},
		{"09", "ses-1 task-rest run-1, ses-1 task-rest run-2", "", "", "", "", "", "of a subject without group"},
	} {
		if !slices.ContainsFunc(sheet, func(row []string) bool {
			row = slices.Clone(row)
			row[5] = "" // motion
			return slices.Equal(row, want)
		}) {
			t.Errorf("no row %q in %.800q", want, fmt.Sprint(sheet))
		}
	}
	_, tables = tablesOf(t, dir, "contrast", "-choose", first, "-set", "first=rest", "-set", "number=age", "-set", "permutations=299")
	if found := edgesOf(t, tables["connections"]); !slices.Equal(found, []string{edge(xcpd.WithAge, "")}) {
		t.Errorf("age: %q", found)
	}
	text, tables = tablesOf(t, dir, "targets", "-choose", first, "-set", "permutations=19", "-set", "epochs=1")
	if want := "pattern is largest: " + xcpd.Region(xcpd.WithAge[0]) + " with " + xcpd.Region(xcpd.WithAge[1]) + ","; !strings.Contains(text, want) ||
		len(tables["weights"]) != 1+155*154/2 || len(tables["regions"]) != 156 || len(tables["predicted"]) < 12*22 || len(tables["inclusion"]) < 24 {
		t.Errorf("no %q in %.4000s", want, text)
	}
}

// Tests of regions, connections and ICC are those of SciPy.
func TestContrastsAreThoseOfSciPy(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import scipy.stats").Run() != nil {
		t.Skip("there is no Python with SciPy here: make setup installs it")
	}
	dir := plantedFolder(t, 2, 40, true)
	tables := map[string][][]string{}
	for name, args := range map[string][]string{
		"groups": {"contrast", "-choose", "condition=group", "-set", "first=control", "-set", "second=patient", "-set", "covariates=age,site",
			"-set", "beyond=.0001"},
		"age":   {"contrast", "-set", "first=rest", "-set", "number=age", "-set", "covariates=sex", "-set", "beyond=.0001"},
		"again": {"retest", "-choose", "condition=session", "-choose", "runs=1", "-set", "first=1", "-set", "second=2"},
	} {
		_, found := tablesOf(t, dir, append(args, "-set", "permutations=19")...)
		tables[name] = found[map[bool]string{true: "regions", false: "connections"}[name == "again"]]
	}
	given, err := json.Marshal(tables)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "testdata/brains.py", dir)
	c.Stdin, c.Stderr = bytes.NewReader(given), os.Stderr
	out, err := c.Output()
	var rows [3]int // those with |t| below beyond are in no table
	_, err2 := fmt.Sscanf(string(out), "groups %d, age %d, again %d", &rows[0], &rows[1], &rows[2])
	if err != nil || err2 != nil || min(rows[0], rows[1]) < 775 || rows[2] != 78 {
		t.Errorf("%v, %v: %s", err, err2, out)
	}
}

// Motion of a recording is known of its ready connectivity, too: it is taken out, and its mean is in the sheet of inclusion.
func TestMotionBesideConnectivity(t *testing.T) {
	dir, people := t.TempDir(), "participant_id\tgroup\n"
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	const regions = 6
	for i := range 10 {
		s, text := rng.New(3, fmt.Sprint("relmat ", i)), "Node"
		var r [regions][regions]float64
		for a := range regions {
			text += "\t" + xcpd.Region(a)
			for b := range a {
				r[a][b] = s.Norm() / 5
				r[b][a] = r[a][b]
			}
			r[a][a] = 1
		}
		for a := range regions {
			text += "\n" + xcpd.Region(a)
			for b := range regions {
				text += fmt.Sprintf("\t%.4f", r[a][b])
			}
		}
		people += fmt.Sprintf("sub-%02d\t%s\n", i+1, []string{"case", "control"}[i%2])
		stem := fmt.Sprintf("sub-%02d/func/sub-%02[1]d_task-rest_", i+1)
		write(stem+"seg-4S156Parcels_stat-pearsoncorrelation_relmat.tsv", text+"\n")
		write(stem+"motion.tsv", "trans_x\tframewise_displacement\n"+strings.Repeat(fmt.Sprintf("0\t0.%d5\n", i), 20))
	}
	write("participants.tsv", people)
	text, tables := tablesOf(t, dir, "contrast", "-set", "covariates=motion", "-set", "first=case", "-set", "permutations=19")
	if !strings.Contains(text, "Taken out (Freedman and Lane): motion. R2 of the groups on them: 0.03") ||
		!strings.Contains(text, "Mean framewise displacement: 0.50 mm.") {
		t.Errorf("%.2000s", text)
	}
	if sheet := tables["inclusion"]; len(sheet) != 11 || sheet[4][5] != "0.35" || sheet[4][6] != "6" {
		t.Errorf("%q", sheet)
	}
}

// Of 20 folders in which nothing is planted few have a connection below .05 after correction; with CADEM_LONG, as it is minutes of work.
func TestNullFolders(t *testing.T) {
	if os.Getenv("CADEM_LONG") == "" {
		t.Skip("CADEM_LONG is not set")
	}
	const folders, most = 20, 4 // more than 4 of 20 are .003 probable at .05
	counts := map[string]int{}
	for seed := range uint64(folders) {
		dir := plantedFolder(t, 100+seed, 60, false)
		for name, args := range map[string][]string{
			"groups": {"-choose", "condition=group", "-set", "first=control", "-set", "covariates=age,site"},
			"age":    {"-set", "first=rest", "-set", "number=age", "-set", "covariates=sex"},
		} {
			_, tables := tablesOf(t, dir, append([]string{"contrast", "-set", "permutations=499"}, args...)...)
			table := tables["connections"]
			if len(edgesOf(t, table)) > 0 {
				counts[name+", corrected"]++
			}
			if q, err := strconv.ParseFloat(table[1][slices.Index(table[0], "q")], 64); err != nil {
				t.Error(err)
			} else if q < .05 {
				counts[name+", q"]++
			}
		}
	}
	t.Log(fmt.Sprint(counts))
	for name, n := range counts {
		if n > most {
			t.Errorf("%s: %d of %d folders", name, n, folders)
		}
	}
}
