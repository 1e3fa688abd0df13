package main

import "cadem/core/run"

// waits measures how long requests wait for an answer while a run of refined is prepared, of Syn2 and of a graph of
// ACM's size.
func (b *bench) waits() error {
	b.say("requests during a preparation")
	files, spec, err := acm.files()
	if err != nil {
		return err
	}
	var addresses []string
	for _, f := range files {
		name := "data/waits/" + f.Name
		b.server.put(name, f.Data)
		addresses = append(addresses, "../"+name)
	}
	syn2 := run.DataSpec{Example: "syn2"}
	for _, of := range []struct {
		key   string
		data  run.DataSpec
		files []string
	}{{"waits/syn2", syn2, []string{}}, {"waits/acm", spec, addresses}} {
		for range rounds {
			var ms samples
			task := map[string]any{"data": of.data, "preset": "refined"}
			if err := b.page.call("shipped", "waits", &ms, map[string]any{"task": task, "files": of.files}); err != nil {
				return err
			}
			for _, x := range ms {
				b.add(of.key, x)
			}
		}
	}
	return nil
}
