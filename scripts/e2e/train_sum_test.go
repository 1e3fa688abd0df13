package e2e

import (
	"testing"
)

// TestSumIsDrawn asks why a node is where it is. Arrows stand in the picture that shows it, a row lights its own and an arrow its rows; where a picture
// shows other parts or no linear axes the card says so, and a press changes it. Links that are changed move the dot.
func TestSumIsDrawn(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=embeddings&select=7&view.why=C2")
		v.Finish()
		v.Until("node.sumDrawn", "The pictures show P.")
		v.Push("#why-linear")
		v.Until("node.sumDrawn && address.has", "add up to its dot", "view.of=C")
		v.must(v.Click("h1")) // or the pointer stays where rows come
		var first, other int
		v.Read(&first, "embeddings.arrowsIn", 2)
		v.Read(&other, "embeddings.arrowsIn", 1)
		if first < 3 || other == -1 {
			t.Errorf("arrows are found at %d points of their picture; of another one %d", first, other)
		}
		var still, lit string
		v.Read(&still, "embeddings.pictureUnfocused")
		v.Read(&lit, "embeddings.pictureFocused", `#why-answer [data-lights^="class"]`)
		var rows int
		v.Read(&rows, "see.howMany", "#why .lit")
		if still == lit || rows < 2 {
			t.Errorf("a row that has the focus lights its arrows: %v; rows lit with it %d", still != lit, rows)
		}
		v.Push("#why-answer th .take")
		v.must(v.Click("h1"))
		v.Until("node.movedBy && node.sumDrawn", "Nodes are drawn where they would be", "add up to its dot")
		var moved string
		v.Read(&moved, "embeddings.pictureUnfocused")
		if moved == still {
			t.Error("a link that is taken moves nothing in the picture")
		}
		v.Read(nil, "hand.choose", "#axes-by", "tsne")
		v.Until("node.sumDrawn", "Arrows need linear axes")
		v.Push("#why-linear")
		v.Until("node.sumDrawn && !address.has", "add up to its dot", "view.axes")
		v.Check()
	})
}
