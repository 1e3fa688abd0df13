package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cadem/core/formats/npy"
	"cadem/core/synth/cohort"
	"cadem/scripts/e2e/drive"
)

// TestSeveralSubjects opens the series of two subjects together: either one of them is trained on, or the experiments are about both.
func TestSeveralSubjects(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c, err := cohort.New(&cohort.Options{Subjects: 2, Regions: 60, Frames: 120, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var paths []string
		for subject := range 2 {
			s := c.Series(subject, 0)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), s.Frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, filepath.Join(dir, fmt.Sprintf("sub-0%d_task-rest.npy", subject+1)))
			if err := os.WriteFile(paths[subject], b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Give("#open-files", paths...)
		v.Until(`document.querySelector('dialog.import #import-first')`)
		v.Want("dialog.import", "Series of 2 subjects", "Train on sub-01_task-rest.npy", "Compare them in Experiments")
		v.Push("#import-first")
		v.Until(asked)
		v.Enter("#ask-tr", "0.72")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch + ` && document.querySelector('#data-summary').textContent.includes('60 nodes')`)

		v.Give("#open-files", paths...)
		v.Push("#import-all")
		v.Until(gone + ` && [...document.querySelectorAll('[data-study]')].some(c => c.textContent.includes('2 files of 2 subjects')) || ` +
			`document.querySelector('#messages').textContent`)
		t.Log(v.Text("#messages"))
		v.Check()
	})
}

// TestDropAgain drops other files while those before are still being chosen among, and right after that was given up.
func TestDropAgain(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		const drop = `const dropped = files => {
	const dataTransfer = new DataTransfer();
	for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
	dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
};
const ring = k => Array.from({length: 6}, (_, i) => i + ',' + (i + k) % 6).join('\n') + '\n',
	good = [['ring_one.csv', 'from,to\n' + ring(1)], ['ring_two.csv', 'from,to\n' + ring(2)]];
`
		v.Read(nil, drop+`dropped(good); dropped([['a.edges', args[0]]]);`, goodEdges)
		v.Until(gone + ` && document.querySelector('#data-summary').textContent.includes('3 nodes') && cadem.state().phase === 'paused'`)
		v.Read(nil, drop+`dropped([['table.csv', 'a,b\n1,2\n3,4\n'], ['other.csv', 'c,d\n1,2\n3,4\n']]);`)
		v.Until(`document.querySelector('dialog.import')?.open || document.querySelector('#messages').textContent`)
		v.Read(nil, drop+`document.querySelector('dialog.import')?.dispatchEvent(new Event('cancel', {cancelable: true})); dropped([['b.edges', `+
			`args[0] + '1 1 4 1\n']]);`, goodEdges)
		v.Until(gone + ` && document.querySelector('#data-summary').textContent.includes('4 nodes') && cadem.state().phase === 'paused'`)
		v.Check()
	})
}
