package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/e2e/drive"
)

// ends returns the values of a property that a link may hold: the ends of its range and its default, or every choice.
func ends(p property.Property) (list []any) {
	if p.Kind == "choice" {
		for _, c := range p.Choices {
			if counted, ok := strings.CutSuffix(c, "#"); ok {
				c = counted + "1"
			}
			list = append(list, c)
		}
		return list
	}
	for _, v := range []*float64{p.Min, p.Max} {
		if v != nil {
			list = append(list, *v)
		}
	}
	return append(list, p.Default)
}

// A setting is one that a link can have: its position in the link, in the settings of the page and in the form.
type setting struct {
	Key, Field string
	property.Property
}

// settings returns the settings of an example.
func settings(c *experiments.Catalogue, example string) (list []setting) {
	for _, g := range []struct {
		key, field string
		table      []property.Property
	}{{"o.", "options", c.Groups.Training}, {"d.", "dataOptions", c.Groups.Data[example]}, {"e.", "evaluation", c.Groups.Evaluation}} {
		for _, p := range g.table {
			list = append(list, setting{g.key + p.Name, g.field, p})
		}
	}
	return list
}

// views are the view settings of links.
var views = []string{"view.log=1", "view.color=clusters%3Acommon&view.k=2", "view.color=clusters%3Aprivate_1&view.k=50", "view.color=labels%3Anothing",
	"view.study=table1", "view.layers=links&view.knows=probe", "view.layers=matrices", "view.color=own&place=lab&show=losses&at=0&pace=10&big=1",
	"embed=1&lock=1&hide=pulls.settings", "view.axes=separating&view.of=C", "view.axes=tsne&view.color=own&at=0", "view.axes=columns:1.2"}

// TestEveryOption goes to links that together hold every value of every option of every example, and finds them in the form.
// Each is a link of many options: a browser limits the number of links it follows in a second.
func TestEveryOption(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := experiments.NewCatalogue()
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, e := range c.Examples {
			list, most := settings(c, e.Name), 0
			for _, s := range list {
				most = max(most, len(ends(s.Property)))
			}
			for i := range most {
				type want struct {
					Field, Name string
					Value       any
				}
				var wants []want
				link := fmt.Sprintf("#v=1&data=%s&model_seed=%d", e.Name, 100+i)
				for _, s := range list {
					values := ends(s.Property)
					value := values[i%len(values)]
					link += fmt.Sprintf("&%s=%v", s.Key, value)
					wants = append(wants, want{s.Field, s.Name, value})
				}
				v.Read(nil, "address.go", link)
				v.Until("settings.data && settings.seed", e.Name, 100+i)
				var wrong []string
				v.Read(&wrong, "settings.unlike", wants)
				if len(wrong) > 0 {
					t.Errorf("%s: %v", link, wrong)
				}
				if text := v.Text("#messages"); strings.Contains(text, "In the link") {
					t.Errorf("%s: %s", link, text)
				}
			}
		}
		v.Check()
	})
}

// TestEveryView opens every example with its choices of data and with the least of all it can be trained with, and every setting
// of what is seen and every choice of training with one of the examples, with all of them where CADEM_LONG is set: the
// run stands, or the page says in words why there is none, and nothing breaks.
func TestEveryView(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := experiments.NewCatalogue()
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until("lab.untouched && experiments.any")
		for k, e := range c.Examples {
			drawn := func(i int) bool { return long() || i%len(c.Examples) == k }
			var links []string
			for i, view := range views {
				if drawn(i) {
					links = append(links, view)
				}
			}
			choices, least := map[int][]string{}, ""
			for _, s := range settings(c, e.Name) {
				for i, value := range ends(s.Property) {
					switch pair := fmt.Sprintf("%s=%v", s.Key, value); {
					case s.Kind != "choice" && i == 0 && s.Field == "options":
						least += "&" + pair
					case s.Kind == "choice" && (s.Field == "dataOptions" || drawn(i)):
						choices[i] = append(choices[i], pair)
					}
				}
			}
			for _, i := range slices.Sorted(maps.Keys(choices)) {
				links = append(links, strings.Join(choices[i], "&"))
			}
			for i, link := range append(links, least) {
				// A seed of its own makes it another run.
				before := v.State().Run
				v.Read(nil, "address.go", fmt.Sprintf("#v=1&data=%s&model_seed=%d&view.log=1&%s", e.Name, 100+i, link))
				v.Until("settings.data && settings.seed", e.Name, 100+i)
				v.Until("!runs.current && lab.untouched || notices.anyMessage", before)
				if text := v.Text("#messages"); text != "" {
					t.Logf("%s, %s: %s", e.Name, link, text)
				}
				if n := v.Count("#losses-view .uplot .u-over"); n != 1 {
					t.Errorf("%s, %s: %d charts of the losses", e.Name, link, n)
				}
			}
		}
		v.Check()
	})
}

// viewValues are the values of a link's view settings, by name; every experiment is a value of view.study, too.
var viewValues = map[string][]string{
	"color":  {"own", "labels:nothing", "clusters:common", "clusters:private_1", "number:degree", "number:common"},
	"k":      {"2", "50"},
	"log":    {"1"},
	"layers": {"links", "matrices"},
	"links":  {"all"},
	"lesson": {"3", "3.2", "99.9"},
	"axes":   {"separating", "tsne", "columns:1.2", "columns:3.3", "columns:9999.1"},
	"of":     {"C"},
	"knows":  {"probe"},
	"show":   {"losses", "embeddings", "layers", "nothing"},
	"place":  places,
	"at":     {"0", "7", "100000"},
	"select": {"0", "0-9.12", "100000"},
	"pace":   {"0.5", "25"},
	"hide":   {"pulls.settings", "learn", "tabs.places"},
	"lock":   {"1"},
	"big":    {"1"},
	"embed":  {"1"},
	"why":    {"S", "P2", "C999"},
	"if":     {"0.3.12", "0.3.12_1.5.40", "99.0.99999"},
	"study":  nil,
	"order":  {"width-16.predictions-on", "methods-lite.seeds-0.nothing-1"},
}

// plainViews are the views that a link names without "view.".
var plainViews = []string{"place", "show", "lesson", "at", "select", "pace", "hide", "lock", "big", "embed"}

// manyLinks together have every view setting with every example.
const manyLinks = 700

// seenValues is viewValues with every experiment.
func seenValues(c *experiments.Catalogue) map[string][]string {
	seen := maps.Clone(viewValues)
	for _, s := range c.Studies {
		seen["study"] = append(seen["study"], s.Name)
	}
	return seen
}

// seenAs is the form of view settings in a link.
func seenAs(name, value string) string {
	if !slices.Contains(plainViews, name) {
		name = "view." + name
	}
	return "&" + name + "=" + url.QueryEscape(value)
}

// A deck deals every one of its values before it deals one again.
type deck struct {
	rng          *rand.Rand
	values, left []string
}

func (d *deck) deal() string {
	if len(d.left) == 0 {
		d.left = slices.Clone(d.values)
		d.rng.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
	}
	v := d.left[0]
	d.left = d.left[1:]
	return v
}

// drawnLinks draws n links to every example in turn: some of its settings and, from a deck for each, what is seen. Numbers that
// say how much there is to compute are not above the usual ones.
func drawnLinks(c *experiments.Catalogue, n int) (links []string) {
	const fast = 100 // a range up to here is one of weights and rates
	rng, seen := rand.New(rand.NewPCG(49, 1)), seenValues(c)
	names := slices.Sorted(maps.Keys(seen))
	decks := map[string]*deck{}
	for i := range n {
		e := c.Examples[i%len(c.Examples)]
		link := fmt.Sprintf("#v=1&data=%s&model_seed=%d", e.Name, 1+i)
		for _, s := range settings(c, e.Name) {
			if rng.IntN(5) > 0 {
				continue
			}
			values := ends(s.Property)
			if s.Max != nil && (*s.Max > fast || s.Field == "dataOptions") {
				values = slices.DeleteFunc(values, func(v any) bool { return v == *s.Max })
			}
			if len(values) > 0 {
				link += fmt.Sprintf("&%s=%v", s.Key, values[rng.IntN(len(values))])
			}
		}
		for _, name := range names {
			if rng.IntN(2) > 0 {
				continue
			}
			d := decks[e.Name+name]
			if d == nil {
				d = &deck{rng: rng, values: seen[name]}
				decks[e.Name+name] = d
			}
			link += seenAs(name, d.deal())
		}
		links = append(links, link)
	}
	return links
}

// covering returns a few of many links that together have every example and every value of what is seen.
func covering(c *experiments.Catalogue, links []string) (few []string) {
	left := map[string]bool{}
	for _, e := range c.Examples {
		left["&data="+e.Name] = true
	}
	for name, values := range seenValues(c) {
		for _, value := range values {
			left[seenAs(name, value)] = true
		}
	}
	shown := func(link string) (n int) {
		for pair := range left {
			if strings.Contains(link+"&", pair+"&") {
				n++
			}
		}
		return n
	}
	for len(left) > 0 {
		link := slices.MaxFunc(links, func(a, b string) int { return shown(a) - shown(b) })
		if shown(link) == 0 {
			break // TestViewValues tells what no link has
		}
		maps.DeleteFunc(left, func(pair string, _ bool) bool { return strings.Contains(link+"&", pair+"&") })
		few = append(few, link)
	}
	return few
}

// TestDrawnLinks opens links that were drawn from the tables of options and of what is seen: the run stands, or the page says in words
// why there is none, and nothing breaks. A few links have every value of what is seen with one example, and every sixth of them is
// opened on a second visit, too. Where CADEM_LONG is set, many have it with every example, and all are opened twice.
func TestDrawnLinks(t *testing.T) {
	const tabs = 2
	c := experiments.NewCatalogue()
	links := drawnLinks(c, manyLinks)
	if !long() {
		links = covering(c, links)
	}
	// Links that throw while data, pictures or axes come, one after the other.
	for _, e := range c.Examples {
		links = append(links, fmt.Sprintf("#v=1&data=%s&view.axes=separating", e.Name))
	}
	Each(t, func(t *testing.T, engine string) {
		for k := range tabs {
			t.Run(fmt.Sprint(k), func(t *testing.T) {
				t.Parallel()
				var own []string
				for i := k; i < len(links); i += tabs {
					own = append(own, links[i])
				}
				for some := range slices.Chunk(own, 40) { // a browser keeps what it has of a site, and slows down with hundreds
					b := Start(t, engine, drive.Options{})
					for i, link := range some {
						visits := 2
						if !long() && i%6 > 0 {
							visits = 1
						}
						openLink(t, b, link, visits)
					}
					if long() {
						b.Close()
					}
				}
			})
		}
	})
}

// openLink opens a link on a site with an origin of its own, where nobody has been, and again as often as is asked.
func openLink(t *testing.T, b *drive.Browser, link string, visits int) {
	v, visit := &Visit{Browser: b, Site: newSite(t, visits > 1 || long()), t: t}, 1
	defer func() {
		if t.Failed() {
			t.Logf("this was visit %d of %s", visit, link)
		}
	}()
	for ; visit <= visits; visit++ {
		v.must(v.Navigate("about:blank"))
		v.Load(link)
		v.Until("notices.anyMessage || lab.shipped && lab.drawn || lab.untouched")
		if strings.Contains(link, "axes=separating") {
			v.Read(nil, "embeddings.axesSaid")
		}
		if text := v.Text("#messages"); strings.Contains(text, "TypeError") || strings.Contains(text, "undefined") {
			t.Errorf("%s: %s", link, text)
		}
		if v.Check(); t.Failed() {
			t.FailNow()
		}
		if visit == visits {
			break
		}
		// The second visit is one that a service worker answers, not one that comes while it is being installed.
		v.Read(nil, "page.awaitControl")
	}
	v.Site.Stop()
}

// Every row of the table of what is seen has values in viewValues, and many links have each of them with every example.
func TestViewValues(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root(t), "www", "settings", "state.ts"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(source), "\nconst view = (catalogue: Catalogue): Record<string, Readable> ")
	_, table, _ = strings.Cut(table, "\n")
	table, _, end := strings.Cut(table, "\n});")
	if !ok || !end {
		t.Fatal("www/settings/state.ts has no table of what is seen")
	}
	var names []string
	for line := range strings.Lines(table) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		names = append(names, name)
	}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(maps.Keys(viewValues))) {
		t.Errorf("www/settings/state.ts has %v, the links of this test %v", names, slices.Sorted(maps.Keys(viewValues)))
	}
	c := experiments.NewCatalogue()
	links := drawnLinks(c, manyLinks)
	for _, e := range c.Examples {
		for name, values := range seenValues(c) {
			for _, value := range values {
				if !slices.ContainsFunc(links, func(link string) bool {
					return strings.Contains(link, "data="+e.Name+"&") && strings.Contains(link+"&", seenAs(name, value)+"&")
				}) {
					t.Errorf("no link has %s and %s", e.Name, seenAs(name, value))
				}
			}
		}
	}
}

// TestLogLink opens a link with a logarithmic scale of the losses: the chart is there before, during and after the training.
func TestLogLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&view.log=1")
		v.Until("lab.untouched && see.there && see.checked", "#losses-view .uplot canvas", "#log-scale")
		v.Until("see.is", "#losses-view .readout", "No steps yet.")
		var before int
		v.Read(&before, "losses.dark")
		v.Finish()
		v.Until("see.starts", "#losses-view .readout", "step 60")
		// The curves are as dark as letters, and there were some letters before.
		v.Until("losses.darker", before+200)
		v.Check()
	})
}

// hostile are links that somebody might make to break the page.
var hostile = []string{
	"o.constructor=1", "d.__proto__=1", "e.toString=1", "view.__proto__=1", "constructor.x=1", "__proto__.x=1", "toString.x=1&valueOf.y=2",
	"preset=constructor", "preset=__proto__", "data=__proto__", "data=constructor",
	"__proto__=1", "o.epochs=__proto__", "view.study=__proto__", "view.color=clusters%3A__proto__&view.k=__proto__", "model_seed=__proto__",
}

// TestHostileLink opens links that were made to break the page: it always has its form and Train.
func TestHostileLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		one := slices.Clone(hostile)
		if !long() {
			one = one[:4] // all come together
		}
		for i, link := range append(one, strings.Join(hostile, "&"), "o.a=1&"+strings.Repeat("o.x=1&", 2000),
			"o.epochs=3&view.color="+strings.Repeat("a", 1<<19)) {
			v.Load(fmt.Sprintf("?%d#v=1&%s", i, link))
			v.Until("see.there && !lab.waits && !lab.says", "#options-epochs", "Loading")
			var messages []string
			v.Read(&messages, "see.texts", "#messages p")
			if len(messages) > 10 {
				t.Errorf("%.60s: %d messages", link, len(messages))
			}
			for _, m := range messages {
				if len(m) > 600 {
					t.Errorf("%.60s: a message of %d characters: %.200s", link, len(m), m)
				}
			}
		}
		v.Want("#messages", "characters", "at most 16384")
		v.Push("#play")
		v.Until("lab.past", 0)
		v.Check()
	})
}
