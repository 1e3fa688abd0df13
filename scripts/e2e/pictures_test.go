package e2e

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestPictures saves the embeddings as a picture of both kinds: of the same shape, with a mark
// for every node in every plot.
func TestPictures(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Push("[aria-label='Save the pictures as SVG']")
		drawn := xml.NewDecoder(bytes.NewReader(download(t, v, "cadem-embeddings.svg")))
		filled := 0
		for {
			token, err := drawn.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
				for _, a := range e.Attr {
					if a.Name.Local == "fill" && a.Value != "none" {
						filled++
					}
				}
			}
		}
		if want := 4*90 + 3; filled != want { // S and three layers, and the legend
			t.Errorf("%d marks in the SVG, expected %d", filled, want)
		}
		v.Push("[aria-label='Save the pictures as PNG']")
		c, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-embeddings.png")))
		if err != nil || c.Width != 2*1480 {
			t.Errorf("%+v, %v", c, err)
		}
		v.Check()
	})
}
