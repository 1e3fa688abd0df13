package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
)

// Three regions: two that swing alike, one against them.
func writeSeries(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("L_V1,R_V1,L_4\n")
	for k := range 120 {
		x := math.Sin(float64(k) / 4)
		fmt.Fprintf(&b, "%v,%v,%v\n", x+0.1*math.Cos(float64(k)), x, 5-x+0.1*math.Sin(float64(k*k)))
	}
	name := filepath.Join(t.TempDir(), "series.csv")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// writeLayersOfRegions writes a series of the regions R0, R1 and so on, connectivity between them, and two matrices of structure,
// one of them with its rows in another order.
func writeLayersOfRegions(t *testing.T, regions int) {
	t.Helper()
	const frames = 160
	matrix := func(order func(i int) int, value func(i, j int) float64) string {
		var b strings.Builder
		for i := range regions {
			fmt.Fprintf(&b, "\tR%d", order(i))
		}
		for i := range regions {
			fmt.Fprintf(&b, "\nR%d", order(i))
			for j := range regions {
				p, q := order(i), order(j)
				fmt.Fprintf(&b, "\t%g", value(min(p, q), max(p, q)))
			}
		}
		return b.String() + "\n"
	}
	var series strings.Builder
	for i := range regions {
		fmt.Fprintf(&series, "%sR%d", []string{"", ","}[min(i, 1)], i)
	}
	for k := range frames {
		for i := range regions {
			fmt.Fprintf(&series, "%s%.4f", []string{"\n", ","}[min(i, 1)], math.Sin(float64(k*(1+i%5))/9)+0.4*math.Cos(float64(k*k*(i+1))))
		}
	}
	as := func(i int) int { return i }
	counts := func(i, j int) float64 { return float64((i + 1) * (j + 2) * (j - i) % 17) }
	for name, text := range map[string]string{
		"series.csv":      series.String() + "\n",
		"streamlines.tsv": matrix(func(i int) int { return regions - 1 - i }, counts),
		"sc.csv":          strings.ReplaceAll(matrix(as, counts), "\t", ","),
		"fc.csv":          strings.ReplaceAll(matrix(as, func(i, j int) float64 { return math.Round(1e3*math.Cos(float64(i*i-j*j))) / 1e3 }), "\t", ","),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A matrix of structure is a third layer, and windows are layers, in the command as elsewhere.
func TestConnectomeWithOtherLayers(t *testing.T) {
	t.Chdir(t.TempDir())
	writeLayersOfRegions(t, 24)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"connectome", "-tr", "2", "series.csv", "streamlines.tsv"}, []string{"streamlines: 28 edges, ",
			"structure: the strongest pairs of streamlines.tsv"}},
		{[]string{"connectome", "-tr", "2", "-set", "windowed=60s:60s", "series.csv"}, []string{"co-activation 1-30: 28 edges", "co-activation 121-150: 28 edges",
			"windows: 5 of 30 frames, 30 from one to the next", "The last 10 frames are in no window."}},
		{[]string{"inspect", "series.csv", "streamlines.tsv"}, []string{"matrix of structure between 24 regions, a layer of its own, joined by name"}},
		{[]string{"inspect", "fc.csv", "sc.csv"}, []string{"fc (negative)", "fc (positive)", "a weight below 0: they make a layer of their own"}},
		{[]string{"train", "-data", "fc.csv", "-data", "sc.csv", "-layers", "fc (positive),sc", "-keep", "10", "-set", "epochs=1"},
			[]string{"Of layer fc (positive) the strongest 10 % of all pairs were kept: 28 of"}},
	} {
		var out, said bytes.Buffer
		if err := execute(t.Context(), c.args, &out, &said); err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		text := strings.Join(strings.Fields(out.String()+said.String()), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %q in %s", c.args, want, text)
			}
		}
	}
}

func TestConnectome(t *testing.T) {
	name := writeSeries(t)
	for _, args := range [][]string{{"-raw"}, {"-tr", "0.72"}} {
		var out, stderr bytes.Buffer
		args = append([]string{"connectome", name, "-json", "-pairs", "0:1,2:0", "-set", "threshold=absolute", "-set", "absolute_r=0.5"}, args...)
		if err := execute(t.Context(), args, &out, &stderr); err != nil {
			t.Fatalf("%v %s", err, &stderr)
		}
		var got struct {
			Regions, Frames int
			TR              *float64
			Pairs           struct{ Positive, Negative float64 }
			R               [][3]float64
			Skewness        []float64
			ExcessKurtosis  []float64 `json:"excess_kurtosis"`
			Layers          map[string]struct {
				Edges          int
				IsolatedBefore int      `json:"isolated_before"`
				AddedLinks     [][2]int `json:"added_links"`
			}
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Regions != 3 || got.Frames != 120 || got.Pairs.Positive != 1./3 || len(got.Skewness) != 3 || len(got.ExcessKurtosis) != 3 ||
			len(got.R) != 2 || got.R[0][2] < 0.9 || got.R[1][0] != 2 || got.R[1][2] > -0.9 || (got.TR != nil) != (args[len(args)-1] == "0.72") {
			t.Errorf("%s", &out)
		}
		if co, anti := got.Layers["co"], got.Layers["anti"]; co.Edges != 1 || co.IsolatedBefore != 1 || len(co.AddedLinks) != 0 || anti.Edges != 2 ||
			anti.IsolatedBefore != 0 {
			t.Errorf("%s", &out)
		}
	}
	for want, args := range map[string][]string{
		`-pairs: found "0:3", expected i:j,i:j,... with regions from 0 to 2`:       {name, "-raw", "-pairs", "0:3"},
		`rows: found "time", expected one of auto, regions, frames`:                {name, "-rows", "time"},
		`threshold: found "few", expected one of strongest, absolute, node`:        {name, "-set", "threshold=few"},
		"series.csv: tr: found 0, expected seconds > 0: without":                   {name},
		"files: found no series and no functional connectivity, expected a series": {},
	} {
		var out, stderr bytes.Buffer
		if err := execute(t.Context(), append([]string{"connectome"}, args...), &out, &stderr); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// The run file of a brain holds its recordings only where that is asked for; without them it goes on with the files beside it, and with no others.
func TestRunFilesWithoutRecordings(t *testing.T) {
	dir := t.TempDir()
	series, regions, _ := braintest.Subject(t)
	var data []string
	for _, f := range []formats.File{series, regions} {
		data = append(data, filepath.Join(dir, f.Name))
		if err := os.WriteFile(data[len(data)-1], f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cadem := func(args ...string) (string, error) {
		var out, said bytes.Buffer
		err := execute(t.Context(), append([]string{"train"}, args...), &out, &said)
		_, hash, _ := strings.Cut(out.String(), `"hash"`)
		hash, _, _ = strings.Cut(hash, ",")
		return hash, err
	}
	held := func(name string) (n int) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []formats.File{series, regions} {
			n += bytes.Count(b, f.Data[:200])
		}
		a, err := archive.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		for blob := range a.Blobs {
			n += strings.Count(blob, "data/")
		}
		return n
	}
	bare, whole := filepath.Join(dir, "bare.zip"), filepath.Join(dir, "whole.zip")
	settings := []string{"-set", "tr=2", "-set", "epochs=2", "-score", "none", "-json"}
	hash, err := cadem(append(settings, "-out", bare, "-data", data[0], "-data", data[1])...)
	if err != nil || held(bare) != 0 {
		t.Fatalf("%v: holds %d of the files", err, held(bare))
	}
	if _, err := cadem(append(settings, "-out", whole, "-recordings", "-data", data[0], "-data", data[1])...); err != nil || held(whole) < 2 {
		t.Fatalf("%v: holds %d of the files", err, held(whole))
	}
	const none = `found none of "s.csv", "regions.csv", as the run file was written without them`
	if _, err := cadem("-resume", bare); err == nil || !strings.Contains(err.Error(), none) {
		t.Error(err)
	}
	if again, err := cadem("-resume", bare, "-json", "-data", data[0], "-data", data[1]); err != nil || again != hash || held(bare) != 0 {
		t.Errorf("%v: %s, before %s", err, again, hash)
	}
	if again, err := cadem("-resume", whole, "-json"); err != nil || again != hash || held(whole) < 2 {
		t.Errorf("%v: %s, before %s", err, again, hash)
	}
	if err := os.WriteFile(data[0], series.Data[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := cadem("-resume", bare, "-data", data[0], "-data", data[1]); err == nil || !strings.Contains(err.Error(), `none of "s.csv", as`) {
		t.Error(err)
	}
}
