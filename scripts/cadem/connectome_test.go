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
