package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// pressed sends keys to an element, one after the other.
const pressed = `const at = document.querySelector(args[0]);
at.focus();
for (const key of args[1]) at.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));`

// TestPaint paints layers with a pointer and with the keys: the link has the painting, the layer is drawn of it, and what is trained on it has the bits
// that the core finds natively. Another visit of the link has the same painting and the kept run.
func TestPaint(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "painted", Data: map[string]any{"nodes": 60, "blocks": "8681811818_8111801818_8111811868"}, Options: map[string]any{"epochs": 8}}
		v := OpenReady(t, engine, c.With(map[string]any{"blocks": "8611811818_8111811818_8111811868"}, nil).Link()+"&place=lab&show=paint")
		v.Until("document.querySelectorAll('#paint-view canvas').length === 3 && cadem.state().drawn")
		const links = `Number(document.querySelector('#data-summary tbody td')?.textContent.replaceAll(/\D/g, ''))` // of the first layer
		v.Until(links + " > 0")
		var before int
		v.Read(&before, "return "+links)
		// A pointer goes from the cell of blocks 1 and 3 to that of blocks 2 and 2, which has this chance already.
		v.Read(nil, `const cell = name => document.querySelector('[data-cell="' + name + '"]');
for (const [name, type] of [['0 0 2', 'pointerdown'], ['0 1 1', 'pointermove'], ['0 1 1', 'pointerup']]) {
  const r = cell(name).getBoundingClientRect();
  cell(name).dispatchEvent(new PointerEvent(type, {clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, bubbles: true, cancelable: true}));
}`)
		v.Until("location.hash.includes('d.blocks=8681811818_8111811818_8111811868') && document.querySelector('[data-cell=\"0 2 0\"]').textContent === '60'")
		v.Read(nil, pressed, "[data-cell='1 1 1']", []string{"ArrowRight"})
		v.Read(nil, pressed, "[data-cell='1 1 2']", []string{"ArrowRight", "ArrowLeft", "0"})
		v.Until("document.activeElement.dataset.cell === '1 1 1'")
		v.Until(fmt.Sprintf("location.hash.includes('d.blocks=%s')", c.Data["blocks"]))
		v.Until(fmt.Sprintf("cadem.state().phase === 'paused' && cadem.settings().values.dataOptions.blocks === %q && cadem.state().drawn", c.Data["blocks"]))
		v.Until(fmt.Sprintf("%s > %d", links, before))
		st := v.Finish()
		if want := c.Train(t).Hash; st.Hash != want {
			t.Errorf("hash %s, natively %s", st.Hash, want)
		}
		var link string
		v.Read(&link, "return location.hash")
		v.Load("?again" + link)
		v.Until(fmt.Sprintf("cadem.state().hash === %q && document.querySelector('[data-cell=\"0 0 2\"]')?.textContent === '60'", st.Hash))
		v.Until("cadem.state().drawn && document.querySelector('#paint-view figcaption').textContent.includes('links')")
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
		v.Read(&number, "return document.querySelector('#paint-view figcaption').textContent")
		if !strings.Contains(picture, st.Hash) || !strings.Contains(picture, ">"+number+"<") || !strings.HasPrefix(number, "Layer 1: ") {
			t.Errorf("the picture has no %q or no %s: %.400s", number, st.Hash, picture)
		}
		v.Read(nil, "document.querySelector('#paint-blocks').value = '5'; document.querySelector('#paint-blocks').dispatchEvent(new Event('change'))")
		v.Until("location.hash.includes('d.blocks=868118111811818_') && document.querySelectorAll('#paint-view .paint td').length === 75")
		v.Check()
	})
}
