package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"cadem/core/formats"
	"cadem/core/run"
)

const aboutReading = "A list without a header, \"layer node node weight\", of 1,000,000 links among 100,000 nodes in three layers, 15 MB: from its " +
	"bytes to the graph that would train, with what is said of it."

// manyLinks writes the list.
func manyLinks() []byte {
	const links, nodes, layers = 1_000_000, 100_000, 3
	src := rand.New(rand.NewPCG(1, links))
	var list bytes.Buffer
	for k := range links {
		fmt.Fprintln(&list, 1+k%layers, src.IntN(nodes), src.IntN(nodes), 1)
	}
	return list.Bytes()
}

// reading measures how long files take to become a graph.
func (b *bench) reading() error {
	list := manyLinks()
	b.say("reading a list of 1,000,000 links")
	for range rounds {
		began := time.Now()
		content, err := formats.Read([]formats.File{{Name: "net.edges", Data: list}})
		if err == nil {
			_, _, err = content.Graph(formats.Choice{})
		}
		if err != nil {
			return err
		}
		b.add("read/native", time.Since(began).Seconds())
	}
	const name = "data/reading/net.edges"
	b.server.put(name, list)
	data := run.DataSpec{Files: []run.FileSpec{{Name: "net.edges", Size: int64(len(list))}}, Reader: run.Reader}
	for range rounds {
		var s float64
		if err := b.page.call("shipped", "reading", &s, map[string]any{"data": data, "files": []string{"../" + name}}); err != nil {
			return err
		}
		b.add("read/tab", s)
	}
	return nil
}

func (b *bench) writeReading(w io.Writer) {
	head(w, "Reading 1,000,000 links, s", "")
	for _, r := range []row{{"read/native", "native"}, {"read/tab", "in a worker of the page: looked at, then opened"}} {
		if s := b.samples[r.key]; s != nil {
			entry(w, r.what, *s, "")
		}
	}
}
