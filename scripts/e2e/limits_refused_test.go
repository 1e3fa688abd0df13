package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goodEdges  = "1 1 2 1\n1 2 3 1\n2 1 3 1\n2 2 3 1\n"
	goodLayers = "layerID layerLabel\n1 lunch\n2 work\n"
	goodNodes  = "nodeID nodeLabel\n1 Ana\n2 Ben\n3 Cleo\n"
)

// TestBadFiles opens what cannot be opened. Each time the page says where and
// why, and goes on with the run it has.
func TestBadFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		v := OpenReady(t, engine, Small.Link()+"&place=data")
		v.Push("#epoch")
		v.Until("lab.pausedAt && lab.kept", 5)
		before := v.State()
		var settings, now string
		v.Read(&settings, "settings.everything")

		for n, bad := range []struct {
			files []string // names and contents in turn; # is replaced by a number of the case's own
			want  []string
		}{
			{[]string{"#.edges", ""}, []string{"#.edges", "empty"}},
			{[]string{"#.edges", " \n\t\n"}, []string{"#.edges", "empty"}},
			{[]string{"#.edges", "1 1 2 1\n1 2 \x00\x01 1\n"}, []string{"#.edges: ", "unknown binary file"}},
			{[]string{"#.edges", "\x89PNG\r\n\x1a\nxx"}, []string{"#.edges", "picture"}},
			{[]string{"#.edges", goodEdges + "1 2\n"}, []string{"#.edges:5: columns:", "2 columns", "expected 4"}},
			{[]string{"#.edges", goodEdges + "1 1 2 1 7\n"}, []string{"#.edges:5: columns:", "5 columns", "expected 4"}},
			{[]string{"#.edges", goodEdges + "1 1 2 abc\n"}, []string{"#.edges:5: weight:", `"abc"`, "a finite number"}},
			{[]string{"#.edges", goodEdges + "1 1 2 NaN\n"}, []string{"#.edges:5: weight:", `"NaN"`, "a finite number"}},
			{[]string{"#.edges", goodEdges + "1 1 2 Inf\n"}, []string{"#.edges:5: weight:", `"Inf"`, "a finite number"}},
			{[]string{"#.edges", goodEdges + "1 1 9 1\n", "#_nodes.txt", goodNodes}, []string{"#.edges:5: node:", `"9"`, "one of the 3 nodes of #_nodes.txt"}},
			{[]string{"#.edges", goodEdges + "1 1 -2 1\n"}, []string{"#.edges:5: node:", `"-2"`, "a whole number >= 0"}},
			{[]string{"#.edges", goodEdges, "#_layers.txt", goodLayers + "3 chat\n"}, []string{"#.edges: layer chat:", "no edges", "#_layers.txt"}},
			{[]string{"#.edges", goodEdges + "1 3 4 1\n3 1 2 1\n", "#_layers.txt", goodLayers}, []string{"#.edges:6: layer:", `"3"`, "#_layers.txt"}},
			{[]string{"#.edges", goodEdges, "#_labels.csv", "nodeID,team\n1,red\n9,blue\n"}, []string{"#_labels.csv:3: nodeID:", `"9"`, "one of the 3 nodes"}},
			{[]string{"#.edges", "1 1 1 1\n2 1 1 1\n"}, []string{"#.edges: nodes: found 1, expected at least 2"}},
			{[]string{"#.edges", "1 1 2 1\n1 2 3 1\n"}, []string{"#.edges: layers: found 1, expected at least 2"}},
			{[]string{"#_labels.csv", "nodeID,team\n1,red\n"}, []string{"#_labels.csv", "expected an edge list"}},
			{[]string{"#.edges", goodEdges, "#_too.edges", goodEdges}, []string{"#_too.edges", "beside #.edges", "expected one"}},
			{[]string{"#.zip", "PK\x03\x04 nothing"}, []string{"#.zip", "archive"}},
		} {
			own := func(s string) string { return strings.ReplaceAll(s, "#", fmt.Sprintf("case-%d", n)) }
			var paths []string
			for i := 0; i < len(bad.files); i += 2 {
				p := filepath.Join(dir, own(bad.files[i]))
				if err := os.WriteFile(p, []byte(bad.files[i+1]), 0o644); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, p)
			}
			for i, w := range bad.want {
				bad.want[i] = own(w)
			}
			v.refused(before, bad.want, "#open-files", paths...)
		}

		// A file that claims 5 GB and has a hole for it. The browser reads none of it.
		for css, name := range map[string]string{"#open-files": "huge.edges", "#import-run": "huge.zip"} {
			v.refused(before, []string{name, "GB", "expected at most"}, css, hollow(t, filepath.Join(dir, name), "", 5e9))
		}

		// A list as long as one of ten million links, of which there is the beginning alone: its size tells enough.
		long := hollow(t, filepath.Join(dir, "long.csv"), "source,target,layer\n"+strings.Repeat("271828,314159,a\n", 1000), 158e6)
		v.refused(before, []string{"long.csv", "found 150 MB", "64 MB for a text file", "8 times as much memory, here 1.3 GB",
			"the command line takes more: cadem train"}, "#open-files", long)

		v.Read(&now, "settings.everything")
		if now != settings {
			t.Errorf("settings, link and data: %s\nbefore: %s", now, settings)
		}
		v.Push("#play")
		v.Until("lab.finished")
		if st, want := v.State(), Small.Train(t); st.Hash != want.Hash || st.Run != before.Run {
			t.Errorf("the run went on to %+v, undisturbed %s", st, want.Hash)
		}
		v.Check()
	})
}

// hollow writes a file of that size, with a hole behind its beginning, and returns its path.
func hollow(t *testing.T, path, beginning string, size int64) string {
	t.Helper()
	err := os.WriteFile(path, []byte(beginning), 0o644)
	if err == nil {
		err = os.Truncate(path, size)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// refused gives files to an input and expects a message with these words, and the run on screen
// unchanged.
func (v *Visit) refused(before State, want []string, css string, paths ...string) {
	v.t.Helper()
	said := "#files-problem" // on the card of the files alone
	if css == "#import-run" {
		said = "#messages"
	} else {
		v.Read(nil, "notices.clear")
	}
	v.Give(css, paths...)
	if err := v.Await(patience/3, "see.shows && lab.paused", said, want[0]); err != nil {
		v.t.Errorf("%v: %v\n%s", paths, err, v.scene())
		return
	}
	v.t.Log(v.Text(said))
	v.Want(said, want...)
	if other := v.Text("#messages"); said != "#messages" && other != "" {
		v.t.Errorf("%v: %q is said beside the card, too", paths, other)
	}
	if st := v.State(); st != before {
		v.t.Errorf("%v: afterwards %+v, before %+v", paths, st, before)
	}
}

// TestBadSettings types what a field does not take.
func TestBadSettings(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		for _, bad := range []struct{ field, text, found, expected string }{
			{"options-epochs", "0", `found "0"`, "from 1 to 100000"},
			{"options-hidden", "9999", `found "9999"`, "from 1 to 4096"},
			{"options-dropout_rate", "many", `found "many"`, "from 0 to 0.95"},
			{"options-weight_causal", "-1", `found "-1"`, "from 0 to 1000"},
			{"options-pairing", "sampled:0", `found "sampled:0"`, "sampled:K"},
			{"dataOptions-nodes", "1.5", `found "1.5"`, "from 2 to 5000"},
			{"seeds-model_seed", "", "found nothing", "whole number"},
		} {
			var was string
			v.Read(&was, "settings.field", bad.field)
			v.Enter("#"+bad.field, bad.text)
			v.Want("#"+bad.field+"-wrong", bad.found, bad.expected)
			v.Want("#run-hint", "cannot be used")
			v.Push("#play")
			v.Until("notices.message", "found")
			v.Want("#messages", bad.found, bad.expected)
			if st := v.State(); st.Step != 0 || st.Phase != "paused" {
				t.Errorf("%s = %q: %+v", bad.field, bad.text, st)
			}
			var focused string
			v.Read(&focused, "page.focusID")
			if focused != bad.field {
				t.Errorf("%s = %q: the focus is on %q", bad.field, bad.text, focused)
			}
			v.Enter("#"+bad.field, was)
			v.Until("see.hidden", "#"+bad.field+"-wrong")
		}
		v.Until("lab.untouched")
		if st, want := v.Finish(), Small.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Check()
	})
}

// TestBadLink follows a link that says some things that cannot be.
func TestBadLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, "#v=7&data=syn1&preset=best&o.epochs=3&o.hidden=many&o.colour=red&model_seed=-4&d.layers=99")
		v.Until("notices.anyMessage")
		v.Want("#messages", "In the link", `v: found "7"`, `preset: found "best"`, `hidden: found "many"`, "colour", `model_seed: found "-4"`,
			`layers: found "99"`, "from 2 to 10")
		if st := v.State(); st.Epochs != 3 || st.Steps != 45 {
			t.Errorf("what is right in the link was not taken: %+v", st)
		}
		var hash string
		v.Read(&hash, "address.hash")
		if hash != "#v=1&data=syn1&o.epochs=3" {
			t.Errorf("the link is now %s", hash)
		}

		v.Load("?again#v=1&data=nothing")
		v.Until("notices.anyMessage")
		v.Want("#messages", `data: found "nothing"`, "syn2, syn1")
		if st := v.State(); st.Phase != "shipped" {
			t.Errorf("with an unknown data set: %+v", st)
		}
		v.Check()
	})
}
