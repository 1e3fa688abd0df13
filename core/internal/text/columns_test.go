package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A listed edge with everything that a list can have.
type listed struct {
	layer, from, to, weight, time int
}

// drawList draws edges of layers among nodes, sorted as most lists are or not.
func drawList(random *rand.Rand, nodes, layers int, sorted bool) []listed {
	var all []listed
	for l := range layers {
		for i := 1; i < nodes; i++ {
			for range 1 + random.IntN(3) {
				j := random.IntN(i)
				if !slices.ContainsFunc(all, func(e listed) bool { return e.layer == l && e.from == j && e.to == i }) {
					all = append(all, listed{layer: l, from: j, to: i, weight: 1 + random.IntN(6)})
				}
			}
		}
	}
	if !sorted {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	at := 1_100_000_000
	for k := range all {
		at += 1 + random.IntN(5000)
		all[k].time = at
	}
	return all
}

// write writes edges in the columns of a layout, counting from base.
func write(all []listed, layout string, base int) string {
	var b strings.Builder
	for _, e := range all {
		for c, role := range strings.Split(layout, ",") {
			if c > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprint(&b, map[string]int{"layer": e.layer + base, "source": e.from + base, "target": e.to + base, "weight": e.weight, "time": e.time, "-": 7}[role])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Lists in every published layout are read as what they are, or a question is asked: never as another list of several
// layers without a word.
func TestColumnsOfLists(t *testing.T) {
	asked, read := map[string]int{}, map[string]int{}
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 5))
		nodes, layers := 12+random.IntN(150), 2+random.IntN(4)
		for _, sorted := range []bool{true, false} {
			all := drawList(random, nodes, layers, sorted)
			one := slices.DeleteFunc(slices.Clone(all), func(e listed) bool { return e.layer > 0 })
			for _, layouts := range layouts {
				for _, layout := range layouts {
					list := all
					if !strings.Contains(layout, layerColumn) {
						list = one
					}
					text := write(list, layout, int(seed%2))
					_, f, err := kindOf("net.edges", text)
					if err != nil {
						t.Fatalf("%s: %v", layout, err)
					}
					s := NewSet("")
					s.edges = []*edgeFile{f}
					s.decide()
					got := f.readings[0].Columns
					switch {
					case f.unclear():
						asked[layout]++
					case got == layout, got == strings.ReplaceAll(layout, "-", "weight"):
						read[layout]++
					case !strings.Contains(got, layerColumn):
						asked[layout]++ // a single layer is refused with the other ways to read it
					default:
						t.Errorf("seed %d: %d nodes, %d layers as %s were read as %v", seed, nodes, layers, layout, f.readings)
					}
				}
			}
		}
	}
	// Two columns of few numbers do not show which is the layer.
	open := []string{"source,target,layer,weight", "source,target,weight,layer", "time,source,target,weight", "time,source,target,layer"}
	for layout, n := range asked {
		t.Logf("%s: read %d, asked %d", layout, read[layout], n)
		if n > read[layout]/4 && !slices.Contains(open, layout) {
			t.Errorf("%s: asked in %d of %d", layout, n, n+read[layout])
		}
	}
}

// Chosen columns count, by position or by the titles of a header.
func TestChosenColumns(t *testing.T) {
	header := []string{"from", "to", "type", "strength"}
	known, _ := headed(header)
	for choice, want := range map[string]columns{
		"source,target,layer,weight": {0, 1, 2, 3, -1, -1, 4, ""},
		"-,source,target,time":       {1, 2, -1, -1, -1, 3, 4, ""},
		"source,layer,target,layer":  {0, 2, 1, -1, 3, -1, 4, ""},
		"layer=type":                 {0, 1, 2, -1, -1, -1, 4, ""},
		"layer=type,weight=strength": {0, 1, 2, 3, -1, -1, 4, ""},
		"source=to,target=from":      {1, 0, -1, -1, -1, -1, 4, ""},
	} {
		if got, err := chosenColumns(choice, header, known); err != nil || got != want {
			t.Errorf("%s: %+v, %v", choice, got, err)
		}
	}
	for choice, want := range map[string]string{
		"source,target":         "found 2 columns, expected 4, as the list has",
		"source,target,x,-":     `found "x"`,
		"layer,source,weight,-": "expected a source and a target among them",
		"layer=kind":            `found no column "kind", expected one of from, to, type, strength`,
	} {
		if _, err := chosenColumns(choice, header, known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", choice, err, want)
		}
	}
}

// Numbers are ordered as numbers, wherever they stand, and equal ones by their text.
func TestNatural(t *testing.T) {
	want := []string{"0", "01", "1", "2", "10", "a", "a2", "a10", "a10b", "user_007", "user_7", "user_11", "z"}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	if slices.SortFunc(got, Natural); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for i, a := range want {
		for j, b := range want {
			if c := Natural(a, b); (c < 0) != (i < j) || (c == 0) != (i == j) {
				t.Errorf("%q against %q: %d", a, b, c)
			}
		}
	}
}

func TestSecondField(t *testing.T) {
	for line, want := range map[string]string{"1 22 3\n": "22", "  1 \t 22\n": "22", "1\n": "", "1 22\n": "22"} {
		if got := (layout{separator: ' '}).second(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
	for line, want := range map[string]string{"1,22,3\n": "22", ",22\n": "22", "1\n": "", "1,,3\n": ""} {
		if got := (layout{separator: ','}).second(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
