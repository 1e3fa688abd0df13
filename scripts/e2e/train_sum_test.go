package e2e

import (
	"testing"
)

// arrowsIn is how many points of the picture of plane k are above an arrow: pointing there lights a row.
const arrowsIn = `const c = document.querySelectorAll('#embeddings-view canvas')[args[0]], r = c.getBoundingClientRect();
let n = 0;
for (let x = 2; x < r.width; x += 6) for (let y = 2; y < r.height; y += 6) {
  c.dispatchEvent(new PointerEvent('pointermove', {clientX: r.left + x, clientY: r.top + y, bubbles: true}));
  if (document.querySelector('#why .lit')) n++;
}
c.dispatchEvent(new PointerEvent('pointerleave'));
return document.querySelector('#why .lit') ? -1 : n;`

// TestSumIsDrawn asks why a node is where it is. Arrows stand in the picture that shows it, a row lights its own and an arrow its rows; where a picture
// shows other parts or no linear axes the card says so, and a press changes it. Links that are changed move the dot.
func TestSumIsDrawn(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=embeddings&select=7&view.why=C2")
		v.Finish()
		v.Until("document.querySelector('#why-drawn')?.textContent.includes('The pictures show P.')")
		v.Push("#why-linear")
		drawn := "document.querySelector('#why-drawn')?.textContent.includes('add up to its dot')"
		v.Until(drawn + " && location.hash.includes('view.of=C')")
		v.must(v.Click("h1")) // or the pointer stays where rows come
		var first, other int
		v.Read(&first, arrowsIn, 2)
		v.Read(&other, arrowsIn, 1)
		if first < 3 || other == -1 {
			t.Errorf("arrows are found at %d points of their picture; of another one %d", first, other)
		}
		const pixels = "return document.querySelectorAll('#embeddings-view canvas')[2].toDataURL()"
		var still, lit string
		const settled = "do await new Promise(f => setTimeout(f, 60)); while (!cadem.state().drawn); "
		v.Read(&still, "document.activeElement.blur(); "+settled+pixels)
		v.Read(&lit, "document.querySelector('#why-answer [data-lights^=\"class\"]').focus(); "+settled+pixels)
		var rows int
		v.Read(&rows, "return document.querySelectorAll('#why .lit').length")
		if still == lit || rows < 2 {
			t.Errorf("a row that has the focus lights its arrows: %v; rows lit with it %d", still != lit, rows)
		}
		v.Push("#why-answer th .take")
		v.must(v.Click("h1"))
		v.Until("document.querySelector('#what-if-moved')?.textContent.includes('Nodes are drawn where they would be') && " + drawn)
		var moved string
		v.Read(&moved, "document.activeElement.blur(); "+settled+pixels)
		if moved == still {
			t.Error("a link that is taken moves nothing in the picture")
		}
		v.Read(nil, `const s = document.querySelector('#axes-by');
s.value = 'tsne';
s.dispatchEvent(new Event('change', {bubbles: true}));`)
		v.Until("document.querySelector('#why-drawn')?.textContent.includes('Arrows need linear axes')")
		v.Push("#why-linear")
		v.Until(drawn + " && !location.hash.includes('view.axes')")
		v.Check()
	})
}
