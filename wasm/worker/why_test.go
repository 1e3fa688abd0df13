package worker

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/wasm/bridge"
)

// An answer is that of "why".
type answer struct {
	Terms []struct {
		Node, Feature, Layer int
		Share                float64
	}
	Count, Step                           int
	Rest, Bias, Mean, Left, Moved, Length float64
	Place                                 []float64
	Links                                 []link
}

// Shares of all that makes a place add up to 1, of any embedding, plain and split; a link that is taken moves it, and only then. The model
// comes in the words of the file that the command writes.
func TestWhy(t *testing.T) {
	for _, preset := range []string{"released", "refined"} {
		c := start(t)
		c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
		c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"`+preset+`","model_seed":1,"paused":true`)
		c.call("control", `"action":"step"`)
		for _, of := range []string{"S", "C", "P"} {
			for _, by := range []string{"node", "feature"} {
				var a, without answer
				reply := c.call("why", `"of":"`+of+`","layer":1,"node":7,"by":"`+by+`","most":3`)
				reply.read(t, &a)
				parts, d := reply.slabs["parts"], len(a.Place)
				if !slices.Equal(parts.Shape, []int{len(a.Terms) + 4, d}) {
					t.Fatalf("%s, %s by %s: parts are %v for %d terms", preset, of, by, parts.Shape, len(a.Terms))
				}
				for k := range len(parts.Data) / 8 {
					a.Place[k%d] -= math.Float64frombits(binary.LittleEndian.Uint64(parts.Data[8*k:]))
				}
				if far := slices.MaxFunc(a.Place, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) }); math.Abs(far) > 1e-12 {
					t.Errorf("%s, %s by %s: parts are off their sum by %v", preset, of, by, far)
				}
				sum := a.Rest + a.Bias + a.Mean + a.Left
				for _, p := range a.Terms {
					sum += p.Share
				}
				if a.Length > 0 && math.Abs(sum-1) > 1e-9 || a.Moved != 0 || len(a.Terms) > 3 || a.Count > 0 && len(a.Terms) == 0 || a.Step != 1 {
					t.Errorf("%s, %s by %s: shares add up to %v; %+v", preset, of, by, sum, a)
				}
				c.call("why", `"of":"`+of+`","layer":1,"node":7,"by":"`+by+`","most":3,"links":[{"layer":1,"i":7,"j":8,"weight":3}]`).read(t, &without)
				if a.Count > 0 && without.Moved == 0 {
					t.Errorf("%s, %s: a link of weight 3 moves nothing", preset, of)
				}
			}
		}
		if m := c.call("export", `"what":"model"`); len(m.slabs["file"].Data) == 0 || !strings.Contains(string(m.header), "-model.npz") {
			t.Errorf("%s: a model of %d bytes, %s", preset, len(m.slabs["file"].Data), m.header)
		}
	}
}

// A link without a weight goes where it is there and comes where it is not; places of all nodes are drawn in the picture that is shown, where this is
// a projection.
func TestWhatIfIsDrawn(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
	c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`)
	c.call("control", `"action":"step"`)
	xy := floats(c.call("frame", "").slabs["xy"])
	ask := func(links string, xy []float32) (answer, []float32) {
		var a answer
		m := c.call("why", `"of":"S","layer":0,"node":7,"by":"node","most":3,"links":`+links, bridge.Float32s("xy", xy))
		m.read(t, &a)
		if m.slabs["places"].Data == nil {
			return a, nil
		}
		return a, floats(m.slabs["places"])
	}
	_, still := ask("[]", xy)
	for i, v := range still {
		if math.Abs(float64(v-xy[i])) > 1e-4 {
			t.Fatalf("coordinate %d is %v, and %v without a change", i, v, xy[i])
		}
	}
	there, moved := ask(`[{"layer":0,"i":7,"j":8}]`, xy)
	back, as := ask(`[{"layer":0,"i":7,"j":8},{"layer":0,"i":7,"j":8}]`, xy)
	if there.Moved == 0 || back.Moved > 1e-12 || slices.Equal(moved, still) || !slices.Equal(as, still) || len(moved) != len(xy) || len(there.Links) != 1 {
		t.Errorf("moves %v, and back %v; %+v", there.Moved, back.Moved, there.Links)
	}
	for i := range xy {
		xy[i] = float32(i * i % 17)
	}
	if _, drawn := ask(`[{"layer":0,"i":7,"j":8}]`, xy); drawn != nil {
		t.Error("places are drawn in a picture that is no projection")
	}
}

// Arrows from where 0 is drawn add up to the place of the node in the picture, of every embedding that it shows, as it is and with other links; their
// shares add up to 1. Of an embedding that it does not show, and in a picture that is no projection, there are none.
func TestArrowsEndOnTheDot(t *testing.T) {
	for _, preset := range []string{"released", "refined", "evidence"} {
		c := start(t)
		c.call("open", `"data":{"example":"syn1","options":{"nodes":400},"data_seed":1}`)
		id := c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"`+preset+`","model_seed":1,"paused":true`)
		ask := func(of string, common bool, links string, xy []float32) *message {
			return c.call("why", fmt.Sprintf(`"of":%q,"layer":1,"node":7,"by":"node","most":3,"common":%v,"links":%s`, of, common, links), bridge.Float32s("xy", xy))
		}
		c.event(id, "progress") // it is ready
		before := floats(c.call("frame", "").slabs["xy"])
		if a := floats(ask("P", false, "[]", before).slabs["arrows"]); math.Abs(float64(a[3]-before[1614])) > 1e-4 || math.Abs(float64(a[4]-before[1615])) > 1e-4 {
			t.Errorf("%s: before the first step the untrained place is %v, and the node at %v", preset, a[3:5], before[1614:1616])
		}
		for range 2 {
			c.call("control", `"action":"step"`)
		}
		shown := map[bool][]float32{false: floats(c.call("frame", "").slabs["xy"]), true: floats(c.call("axes", `"axes":"principal","common":true`).slabs["xy"])}
		for common, xy := range shown {
			for of, k := range map[string]int{"S": 0, "P": 2, "C": 2} {
				for _, links := range []string{"[]", `[{"layer":1,"i":7,"j":8,"weight":3}]`} {
					m := ask(of, common, links, xy)
					if of != "S" && common != (of == "C") {
						if m.slabs["arrows"].Data != nil {
							t.Errorf("%s: arrows of %s in a picture of others", preset, of)
						}
						continue
					}
					arrows, places := floats(m.slabs["arrows"]), floats(m.slabs["places"])
					var a answer
					m.read(t, &a)
					if n := len(arrows)/3 - 6; n != min(a.Count, mostArrows) || len(m.slabs["from"].Data) != 4*n {
						t.Errorf("%s, %s: %d arrows of %d contributions", preset, of, n, a.Count)
						continue
					}
					sum, reach := [3]float64{float64(arrows[0]), float64(arrows[1])}, 1e-6
					for i := 6; i < len(arrows); i++ {
						sum[i%3] += float64(arrows[i])
					}
					for i := range 2 * 400 {
						reach = max(reach, math.Abs(float64(xy[800*k+i])))
					}
					for c, v := range sum[:2] {
						if want := float64(places[800*k+14+c]); math.Abs(v-want) > 1e-4*reach {
							t.Errorf("%s, %s, links %s: arrows end at %v on axis %d, and the dot is at %v of %v", preset, of, links, v, c, want, reach)
						}
					}
					if a.Length > 0 && math.Abs(sum[2]-1) > 1e-4 {
						t.Errorf("%s, %s: shares add up to %v", preset, of, sum[2])
					}
				}
			}
		}
		for i := range before {
			before[i] = float32(i * i % 17)
		}
		if m := ask("S", false, "[]", before); m.slabs["arrows"].Data != nil {
			t.Errorf("%s: arrows in a picture that is no projection", preset)
		}
	}
}

// A link of one layer moves nothing in the private embeddings of others, whatever was asked before: where these are drawn is kept.
func TestOtherLayersStandStill(t *testing.T) {
	for _, preset := range []string{"released", "refined", "evidence"} {
		c := start(t)
		c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
		c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"`+preset+`","model_seed":1,"paused":true`)
		c.call("control", `"action":"step"`)
		xy := floats(c.call("frame", "").slabs["xy"])
		ask := func(links string) []float32 {
			return floats(c.call("why", `"of":"S","layer":0,"node":7,"by":"node","most":3,"links":`+links, bridge.Float32s("xy", xy)).slabs["places"])
		}
		const changed = `[{"layer":1,"i":7,"j":8,"weight":3}]`
		fresh := ask(changed) // nothing is kept yet
		still := ask("[]")
		again := ask(changed)
		const each = 2 * 60
		for k, moves := range []bool{true, false, true, false} { // S and three layers
			a, b, c := fresh[k*each:(k+1)*each], still[k*each:(k+1)*each], again[k*each:(k+1)*each]
			if !slices.Equal(a, c) || !moves && !slices.Equal(a, b) || k == 2 && slices.Equal(a, b) {
				t.Errorf("%s, picture %d: the same when asked again %v, as without the link %v", preset, k, slices.Equal(a, c), slices.Equal(a, b))
			}
		}
	}
}

// Nodes of files that a run has not seen are embedded, counted, drawn and written with a flag.
func TestNewcomers(t *testing.T) {
	c := start(t)
	group := func(i int) string { return []string{"a", "b"}[i%2] }
	edges, labels, more := "", "node,group\n", ""
	for i := range 40 {
		labels += fmt.Sprintf("n%d,%s\n", i, group(i))
		for j := range i {
			if i%2 == j%2 && (i+j)%3 > 0 || (i+j)%11 == 0 {
				edges += fmt.Sprintf("1 n%d n%d 1\n2 n%d n%d 1\n", i, j, i, j)
			}
		}
	}
	for i := 0; i < 12; i += 2 {
		more += fmt.Sprintf("1 new n%d 1\n2 new n%d 1\n", i, i)
	}
	more += "1 new other 1\n2 other n3 1\n"
	files := func(list ...string) (spec string, slabs []bridge.Slab) {
		for i := 0; i < len(list); i += 2 {
			spec += fmt.Sprintf(`,{"name":%q,"size":%d}`, list[i], len(list[i+1]))
			slabs = append(slabs, bridge.Bytes(fmt.Sprintf("file:%d", i/2), []byte(list[i+1])))
		}
		return `"data":{"files":[` + spec[1:] + `]}`, slabs
	}
	spec, slabs := files("my.edges", edges, "labels.csv", labels)
	c.call("open", spec, slabs...)
	c.send("train", `"options":{"epochs":3,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`)
	c.call("control", `"action":"step"`)
	xy := c.call("frame", "").slabs["xy"]
	spec, slabs = files("more.edges", edges+more)
	var a struct {
		New                   []newcomer
		Known, Unknown, Apart int
		Predicted             []struct {
			Target string
			F1     float64 `json:"macro_f1"`
		}
		Notes []string
	}
	m := c.call("newcomers", spec+`,"scores":{"group":0.75}`, append(slabs, bridge.Float32s("xy", floats(xy)))...)
	m.read(t, &a)
	if len(a.New) != 2 || a.New[0].Node != "new" || a.New[0].Links != 12 || a.Known != 40 || a.Unknown != 2 || len(a.Predicted) != 1 || a.Predicted[0].F1 != .75 ||
		len(a.New[0].From) != 3 || a.New[0].Classes["group"] == "" || len(floats(m.slabs["places"])) != 2*2*3 || len(m.slabs["classes:0"].Data) != 8 {
		t.Errorf("%+v", a)
	}
	file := string(c.call("newcomers", spec+`,"scores":{},"format":"csv"`, slabs...).slabs["file"].Data)
	if !strings.Contains(file, "new") || strings.Count(file, "\n") != 43 {
		t.Errorf("%.300s", file)
	}
}
