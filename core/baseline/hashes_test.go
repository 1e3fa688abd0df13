package baseline

import (
	"cadem.example/core/train"
)

import "testing"

// The same seed gives these bits on every machine, natively and in WebAssembly.
func TestHashesOfMethods(t *testing.T) {
	g := blocks(t, 16)
	for name, want := range map[string]string{
		"deepwalk":  "b26ae95623a42aed",
		"node2vec":  "63913f4e6cafe1e1",
		"mne":       "975e8fc17f8dc592",
		"graph2vec": "becd583f3b8f0fe3",
		"mcgc":      "bbd3d64a000923a2",
		"random":    "5880c88c69148e98",
		"random-64": "1bd4755b51405fbb",
		"pca":       "c199ab64c0a87f21",
		"pca-unit":  "6047495fbb90163e",
		"pooled":    "f16ec074832f44d1",
		"spectral":  "50e20e880e32934e",
		"union":     "e30bef257786c260",
		"bethe":     "729fd88787f2a295",
		"netmf":     "6a4ae34dd9a8ea65",
		"multiness": "8d61da88fec7edbb",
		"features":  "3f940759ab9af591",
	} {
		m, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		run, err := train.Start(m, setupOf(t, m, g, 5))
		if err != nil {
			t.Fatal(err)
		}
		take(t, run, -1)
		if got := train.Hash(run.Embeddings(0)); got != want {
			t.Errorf("%s: hash %s, expected %s", name, got, want)
		}
	}
}
