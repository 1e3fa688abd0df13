package e2e

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestEveryFileIsAnswered opens files that are empty, cut off, packed in each other or of no kind that is known. Each is answered by
// a message that names it or by the dialog, and what was open stays.
func TestEveryFileIsAnswered(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		pack := func(members ...string) string { // names and contents in turn; a name that ends in / is a folder
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for i := 0; i < len(members); i += 2 {
				w, err := z.Create(members[i])
				if err == nil && !strings.HasSuffix(members[i], "/") {
					_, err = w.Write([]byte(members[i+1]))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		good := pack("a.edges", goodEdges)
		dir := t.TempDir()
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		before := v.State()
		for name, content := range map[string]string{
			"nothing.zip": pack(), "folders.zip": pack("a/", "", "a/b/", ""), "hidden.zip": pack(".a", "x", "__MACOSX/b", "x"), "inside.zip": pack("b.zip", good),
			"zeros.zip": pack("a.edges", "", "b.edges", ""), "half.zip": good[:len(good)/2], "end.zip": good[len(good)/2:], "magic.zip": "PK\x03\x04",
			"last.zip":      "PK\x05\x06",
			"nothing.edges": "", "blank.csv": "\n\n\n", "heads.csv": "source,target\n", "zero.bin": strings.Repeat("\x00", 1000), "magic.npy": "\x93NUMPY",
			"magic.gz": "\x1f\x8b\x08",
			"none.pkl": "\x80\x04}.", "cut.pkl": "\x80\x04]q\x00", "none.mat": "MATLAB 5.0 MAT-file", "none.graphml": "<graphml/>",
			"cut.graphml": "<graphml><graph><node id='1'", "nothing.cadem": "", "other.cadem": good,
		} {
			p := filepath.Join(dir, name)
			if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			v.Give("#open-files", p)
			v.Until("document.querySelector('#messages').innerText.includes(" + strconv.Quote(strings.TrimSuffix(name, ".gz")) + ") || " + asked)
			v.Read(nil, `[...document.querySelectorAll('dialog.import[open] button')].find(b => b.textContent === 'Cancel')?.click()`)
			v.Until(gone + " && cadem.state().phase === 'paused'")
			if now := v.State(); now != before {
				t.Errorf("%s: afterwards %+v, before %+v", name, now, before)
			}
			t.Log(v.Text("#messages"))
		}
		v.Check()
	})
}
