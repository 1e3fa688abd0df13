package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cadem.example/core/base/rng"
	"cadem.example/scripts/e2e/drive"
)

// planted are links in two layers between nodes of groups that stand far apart, and what is counted of them.
type planted struct {
	files   []string
	sizes   []int    // of the groups, falling
	lone    int      // further nodes, without links
	between [][]int  // of each layer, group by group: links, on the diagonal inside
	layers  []string // titles
}

// plant writes the files: links between random nodes, `within` of them inside a group, no pair twice, and the groups. Nodes come in no order.
func plant(t *testing.T, sizes []int, lone, links int, within float64) planted {
	t.Helper()
	p, k := planted{sizes: sizes, lone: lone, layers: []string{"X", "Y"}}, len(sizes)
	var of []int
	for c, n := range sizes {
		for range n {
			of = append(of, c)
		}
	}
	draw := rng.New(1, "planted")
	draw.Shuffle(of)
	members := make([][]int, k)
	for i, c := range of {
		members[c] = append(members[c], i)
	}
	var list, groups, nodes strings.Builder
	list.WriteString("source,target,layer\n")
	groups.WriteString("node,group\n")
	nodes.WriteString("nodeID\n")
	for i, c := range of {
		fmt.Fprintf(&groups, "%d,%c\n", i, 'a'+c%26)
	}
	for i := range len(of) + lone {
		fmt.Fprintf(&nodes, "%d\n", i)
	}
	for l := range p.layers {
		seen, between := map[[2]int]bool{}, make([]int, k*k)
		for len(seen) < links {
			i, j := draw.IntN(len(of)), draw.IntN(len(of))
			if draw.Float64() < within {
				own := members[of[i]]
				j = own[draw.IntN(len(own))]
			}
			if pair := [2]int{min(i, j), max(i, j)}; i != j && !seen[pair] {
				seen[pair] = true
				fmt.Fprintf(&list, "%d,%d,%c\n", i, j, 'x'+l)
				a, b := of[i], of[j]
				between[a*k+b]++
				if a != b {
					between[b*k+a]++
				}
			}
		}
		p.between = append(p.between, between)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"links.csv": list.String(), "groups.csv": groups.String(), "nodes.csv": nodes.String()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, path)
	}
	return p
}

// links returns how many are inside groups and how many between them, over all layers.
func (p planted) links() (inside, between int) {
	for _, counts := range p.between {
		for at, n := range counts {
			switch k := len(p.sizes); {
			case at/k == at%k:
				inside += n
			case at/k < at%k:
				between += n
			}
		}
	}
	return inside, between
}

// row is what the table of a layer says of a group, but for what its nodes are called.
func (p planted) row(l, c int) []string {
	k, others := len(p.sizes), 0
	for d := range k {
		if d != c {
			others += p.between[l][c*k+d]
		}
	}
	return []string{fmt.Sprint(c + 1), spaced(p.sizes[c]), spaced(p.between[l][c*k+c]), spaced(others)}
}

// spaced is a count as the page writes it.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "\u202f" + s[at:]
	}
	return s
}

// checkSaid compares what the page says of communities with what was planted.
func (p planted) checkSaid(t *testing.T, v *Visit) {
	t.Helper()
	inside, between := p.links()
	v.Want("#layers-words", fmt.Sprintf("%d were found by modularity in all layers together (Louvain).", len(p.sizes)),
		fmt.Sprintf("%s links in all: %s inside, %s between.", spaced(inside+between), spaced(inside), spaced(between)))
	if p.lone > 0 {
		v.Want("#layers-words", fmt.Sprintf("%s nodes without links are left out.", spaced(p.lone)))
	}
	v.Read(nil, "hand.open", "#layers-view details")
	v.Until("see.count", "#layers-view details table", 3)
	for l, layer := range p.layers {
		var rows [][]string
		v.Read(&rows, "layers.table", l)
		if len(rows) != 1+len(p.sizes) || !strings.HasPrefix(rows[0][0], layer+": ") {
			t.Fatalf("layer %s: %d rows of %q, expected one for each of %d groups", layer, len(rows)-1, rows[0], len(p.sizes))
		}
		for c, row := range rows[1:] {
			if want := p.row(l, c); !slices.Equal(row[:len(want)], want) || row[5] != fmt.Sprintf("%c 100\u00a0%%", 'a'+c%26) {
				t.Errorf("layer %s: the table says %q, expected %q", layer, row, want)
			}
		}
	}
}

// TestLayersAsCommunities opens a graph whose layers have more links than are drawn: its layers are communities, which are those that were planted, with
// all links inside and between them, in words, in tables, at the pointer, at the keyboard and in a saved picture.
func TestLayersAsCommunities(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		p := plant(t, []int{700, 500, 400, 300, 200}, 4, 21_000, 0.9)
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&place=lab&show=layers")
		v.Until("lab.untouched")
		var offered bool
		v.Read(&offered, "see.visible", "#layers-view input[value=communities]")
		if offered {
			t.Error("a small graph is offered as communities")
		}
		v.Give("#open-files", p.files...)
		v.until(40*time.Second, "lab.untouched && layers.communities")
		v.Want("#layers-view figcaption", "X", fmt.Sprintf("5 communities, %s links", spaced(21_000)))
		p.checkSaid(t, v)
		v.Read(nil, "hand.close", "#layers-view details")
		v.looked("communities", [][2]int{{1280, 800}, {390, 844}})

		told := func() string {
			v.Until("node.pointed")
			return v.told()
		}
		v.Read(nil, "layers.focus")
		v.must(v.Press("ArrowRight"))
		text := told()
		first := regexp.MustCompile(`^Community (\d)\n`).FindStringSubmatch(text)
		if first == nil {
			t.Fatalf("the first community is %q", text)
		}
		c, _ := strconv.Atoi(first[1])
		for l, layer := range p.layers {
			row := p.row(l, c-1)
			for _, want := range []string{row[1] + " nodes", fmt.Sprintf("%s: %s links inside, %s to others", layer, row[2], row[3]),
				fmt.Sprintf("group: %c 100\u00a0%%", 'a'+c-1)} {
				if !strings.Contains(text, want) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
		}
		v.must(v.Press("Enter"))
		v.Until("node.pickedIs", fmt.Sprintf("%d nodes", p.sizes[c-1]))

		// A pointer that goes over the picture of the second layer meets all communities and the bands between them.
		var met []string
		v.Read(&met, "layers.meet")
		k, bands := len(p.sizes), 0
		for _, text := range met {
			if m := regexp.MustCompile(`^Community (\d) and (\d)\nX: (\S+) links?\nY: (\S+) links?$`).FindStringSubmatch(text); m != nil {
				a, _ := strconv.Atoi(m[1])
				b, _ := strconv.Atoi(m[2])
				if at := (a-1)*k + b - 1; m[3] != spaced(p.between[0][at]) || m[4] != spaced(p.between[1][at]) {
					t.Errorf("a band tells %q, expected %d and %d links", text, p.between[0][at], p.between[1][at])
				}
				bands++
			}
		}
		if len(met)-bands != k || bands < k {
			t.Errorf("a pointer meets %d communities and %d bands: %q", len(met)-bands, bands, met)
		}

		v.Push("[aria-label='Save the layers as SVG']")
		picture := string(download(t, v, "cadem-layers.svg"))
		for _, want := range []string{"Each mark is a community", ">5</text>", "21\u202f000 links in all"} {
			if want = strings.Replace(want, "21\u202f000", spaced(42_000), 1); !strings.Contains(picture, want) {
				t.Errorf("the saved picture lacks %q", want)
			}
		}
		Axe(t, v.Browser)
		v.Push("#layers-view input[value=matrices]")
		v.Until("layers.matrices && address.has", 3, "view.layers=matrices")
		v.Push("#layers-view input[value=communities]")
		v.Until("layers.communities && address.has", "view.layers=communities")
		v.Check()
	})
}

// TestManyLinksAsCommunities opens 100,000 nodes with a million links and measures frames while a pointer moves over their communities. It takes
// minutes: it runs where CADEM_LONG is set.
func TestManyLinksAsCommunities(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		if !long() || engine != "chromium" {
			t.Skip("takes minutes: set CADEM_LONG=1, in Chromium")
		}
		const patience = 15 * time.Minute
		sizes := make([]int, 40)
		for c := range sizes {
			sizes[c] = 3475 - 50*c
		}
		p := plant(t, sizes, 0, 500_000, 0.8)
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=layers&o.hidden=8")
		v.Give("#open-files", p.files...)
		v.until(patience, "layers.searching")
		began := time.Now()
		v.until(patience, "layers.communities")
		t.Logf("communities after %.1f s", time.Since(began).Seconds())
		v.looked("manycommunities", [][2]int{{1280, 800}, {390, 844}})
		p.checkSaid(t, v)
		v.Read(nil, "hand.close", "#layers-view details")
		var times []float64
		v.Read(&times, "layers.frameTimes")
		slices.Sort(times)
		t.Logf("a frame takes %.1f ms in the median, %.1f ms in the 95th percentile", times[len(times)/2], times[len(times)*95/100])
		v.Check()
	})
}
