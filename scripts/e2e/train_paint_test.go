package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestPaint paints layers with a pointer and with the keys: the link has the painting, the layer is drawn of it, and what is trained on it has the bits
// that the core finds natively. Another visit of the link has the same painting and the kept run.
func TestPaint(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "painted", Data: map[string]any{"nodes": 60, "blocks": "8681811818_8111801818_8111811868"}, Options: map[string]any{"epochs": 8}}
		v := OpenReady(t, engine, c.With(map[string]any{"blocks": "8611811818_8111811818_8111811868"}, nil).Link()+"&place=lab&show=paint")
		v.Until("paint.pictures && lab.drawn", 3)
		v.Until("paint.linksPast", 0)
		var before int
		v.Read(&before, "paint.links")
		// A pointer goes from the cell of blocks 1 and 3 to that of blocks 2 and 2, which has this chance already.
		v.Read(nil, "paint.drag")
		v.Until("address.has && see.is", "d.blocks=8681811818_8111811818_8111811868", `[data-cell="0 2 0"]`, "60")
		v.Read(nil, "paint.press", "[data-cell='1 1 1']", []string{"ArrowRight"})
		v.Read(nil, "paint.press", "[data-cell='1 1 2']", []string{"ArrowRight", "ArrowLeft", "0"})
		v.Until("see.focused", "[data-cell='1 1 1']")
		v.Until("address.has", fmt.Sprint("d.blocks=", c.Data["blocks"]))
		v.Until("lab.paused && settings.blocks && lab.drawn", c.Data["blocks"])
		v.Until("paint.linksPast", before)
		st := v.Finish()
		if want := c.Train(t).Hash; st.Hash != want {
			t.Errorf("hash %s, natively %s", st.Hash, want)
		}
		var link string
		v.Read(&link, "address.hash")
		v.Load("?again" + link)
		v.Until("lab.hash && see.is", st.Hash, `[data-cell="0 0 2"]`, "60")
		v.Until("lab.drawn && see.says", "#paint-view figcaption", "links")
		picture := v.picture("painted layers", "cadem-painted")
		for digit, chance := range []string{"0", "2", "5", "10", "15", "20", "30", "40", "60", "80"} {
			want := 0
			for layer := range strings.SplitSeq(fmt.Sprint(c.Data["blocks"]), "_") {
				for k, d := range layer { // the diagonal once, other blocks twice
					if int(d-'0') == digit {
						want += map[bool]int{true: 1, false: 2}[strings.Contains("0479", fmt.Sprint(k))]
					}
				}
			}
			if n := strings.Count(picture, ">"+chance+"</text>"); n != want {
				t.Errorf("%s stands in %d cells of the picture, expected %d", chance, n, want)
			}
		}
		var number string
		v.Read(&number, "see.content", "#paint-view figcaption")
		if !strings.Contains(picture, st.Hash) || !strings.Contains(picture, ">"+number+"<") || !strings.HasPrefix(number, "Layer 1: ") {
			t.Errorf("the picture has no %q or no %s: %.400s", number, st.Hash, picture)
		}
		v.Read(nil, "hand.choose", "#paint-blocks", "5")
		v.Until("address.has && see.count", "d.blocks=868118111811818_", "#paint-view .paint td", 75)
		v.Check()
	})
}
