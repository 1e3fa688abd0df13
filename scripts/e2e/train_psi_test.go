package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/e2e/drive"
)

// drawnPairs are the bags of every P and C in the plane of psi, and the sectors that their ends are drawn in.
const drawnPairs = `const sectors = [...document.querySelectorAll('.psi-plane .sector')];
return [...document.querySelectorAll('.psi-plane .swap')].map(c => {
	const at = new DOMPoint(c.cx.baseVal.value, c.cy.baseVal.value);
	return {pair: c.dataset.pair.split(' ').map(Number), wrong: c.classList.contains('wrong'),
		sectors: sectors.flatMap((s, k) => s.isPointInFill(at) ? [k] : [])};
});`

// TestBePsi trains beside own common parts: the plane shows every answer in its sector and says that swaps mislead psi. One swap is made by the keyboard,
// and one game is played by hand.
func TestBePsi(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town", Data: map[string]any{"nodes": 60},
			Options: map[string]any{"epochs": 12, "hidden": 16, "weight_causal": 50, "pairing": "own", "kmeans_runs": 2}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link()+"&place=lab&show=psi")
		v.Until(untouch + " && document.querySelectorAll('.psi-plane .swap').length")
		v.Want("#psi-why", "Why is C swapped in training?", "Swapping makes it go by P.")
		if engine == "chromium" {
			var moved int
			v.Read(&moved, `const o = new PerformanceObserver(() => {});
o.observe({type: 'layout-shift', buffered: true});
return o.takeRecords().filter(e => e.sources.some(s => s.node?.parentElement?.closest('#psi'))).length`)
			if moved > 0 {
				t.Errorf("%d parts of the view moved by themselves", moved)
			}
		}
		v.Finish()
		v.Push("[name=psi-from][value=here]")
		v.Until("document.querySelector('#psi-why').textContent.includes('This ψ was trained')")

		d, s := c.Open(t)
		trainer, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
		for err == nil && !trainer.Done() {
			err = trainer.Step()
		}
		if err != nil {
			t.Fatal(err)
		}
		found := run.LayerProbe(trainer).Intervene(1) // the page's usual seed
		named := func(p, c int) int {
			z := slices.Clone(found.Private[p])
			for k, v := range found.Common[c] {
				z[k] += v
			}
			return slices.Index(z, slices.Max(z))
		}
		crossing := v.psiPlane(found, named)
		v.Read(nil, "document.querySelector('[data-c=\"' + args[0] + '\"]').focus()", crossing)
		v.must(v.Press("Enter"))
		v.Want("#psi-said", "ψ says "+d.Graph.Layers[named(0, crossing)].Name, "The swap crosses a border")
		v.Read(nil, "document.querySelector('#psi .twin').open = true")
		Axe(t, v.Browser)

		v.psiPicture()
		v.psiGame(d.Graph, found, named)
		Axe(t, v.Browser)
		v.Check()
	})
}

// psiPlane fails the test unless the plane has every pair of bags in the sector of the layer that psi names, and the view says how many swaps mislead it. It
// returns a bag whose C changes the answer about the first P.
func (v *Visit) psiPlane(found *evaluate.LayerIntervention, named func(p, c int) int) int {
	t := v.t
	t.Helper()
	var pairs []struct {
		Pair, Sectors []int
		Wrong         bool
	}
	v.Read(&pairs, drawnPairs)
	bags, misled, crossing := len(found.Layer), 0, -1
	if len(pairs) != bags*(bags-1) {
		t.Fatalf("%d pairs of %d bags are drawn", len(pairs), bags)
	}
	for _, q := range pairs {
		want := named(q.Pair[0], q.Pair[1])
		wrong := want != found.Layer[q.Pair[0]]
		if !slices.Equal(q.Sectors, []int{want}) || q.Wrong != wrong {
			t.Errorf("P and C of bags %v are drawn in sectors %v, wrong: %v; psi says %d", q.Pair, q.Sectors, q.Wrong, want)
		}
		if wrong {
			misled++
		}
		if q.Pair[0] == 0 && want != named(0, 0) {
			crossing = q.Pair[1]
		}
	}
	if crossing < 0 {
		t.Fatal("no swap of the first P crosses a border")
	}
	v.Want("#psi-why", fmt.Sprintf("This ψ was trained beside own C’s, and %d of %d swaps mislead ψ: it goes by C, too.", misled, len(pairs)))

	return crossing
}

// psiPicture saves the plane: what is drawn is in the picture, with what is said of it, and sectors end where the plane does.
func (v *Visit) psiPicture() {
	t := v.t
	t.Helper()
	picture := v.picture("plane", "cadem-psi")
	if discs, want := len(regexp.MustCompile(`d="M[^"]*a`).FindAllString(picture, -1)), v.Count(".psi-plane circle, .psi-plane .bag"); discs != want {
		t.Errorf("%d discs in the picture, %d on screen, those of bags with their rim", discs, want)
	}
	sectors := 0
	for _, m := range regexp.MustCompile(`d="(M[^"a]*)Z"`).FindAllStringSubmatch(picture, -1) {
		sectors++
		for _, place := range regexp.MustCompile(`[\d.]+`).FindAllString(m[1], -1) {
			if at, err := strconv.ParseFloat(place, 64); err != nil || at < 23.9 || at > 504.1 {
				t.Errorf("a sector of the picture goes to %q", place)
			}
		}
	}
	if sectors != 6 { // each once with its ground, and once with its rim
		t.Errorf("%d outlines of sectors", sectors)
	}
	for _, text := range []string{v.Text("#psi-why"), v.Text("#psi-said"), v.State().Hash} {
		if !strings.Contains(picture, text) {
			t.Errorf("the picture does not say %q: %.800s", text, picture)
		}
	}
}

// psiGame plays a game: what it says of every bag is the core's answer.
func (v *Visit) psiGame(g *multiplex.Graph, found *evaluate.LayerIntervention, named func(p, c int) int) {
	t := v.t
	t.Helper()
	v.Push("#psi-play")
	for turn := range 6 {
		v.Want("#psi-said", fmt.Sprintf("Bag %d of 6", turn+1))
		v.Want("#psi .twin", "Logits above the mean")
		v.Push(fmt.Sprintf("#psi-game [data-layer=\"%d\"]", turn%3))
	}
	var rows [][]string
	v.Read(&rows, "return [...document.querySelectorAll('#psi-game tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
	bag := func(name string) int { // such as "work #2, swapped"
		name, _, _ = strings.Cut(name, ",")
		layer, of := 0, name[:len(name)-3]
		for g.Layers[layer].Name != of {
			layer++
		}
		return slices.Index(found.Layer, layer) + int(name[len(name)-1]-'1')
	}
	for turn, row := range rows {
		p, c := bag(row[1]), bag(row[2])
		for k, layer := range []int{turn % 3, named(p, c)} {
			mark := map[bool]string{true: " ✓", false: " ✗"}[layer == found.Layer[p]]
			if want := g.Layers[layer].Name + mark; row[3+k] != want {
				t.Errorf("bag %d: %v, expected %q in column %d", turn+1, row, want, 4+k)
			}
		}
	}
	if v.Want("#psi-went", "C was swapped on bags"); len(rows) != 6 {
		t.Errorf("%d rows of six bags", len(rows))
	}
}
