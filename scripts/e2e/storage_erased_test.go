package e2e

import (
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
)

// left lists what a browser keeps of the site: values in databases, notes, and files in caches that are not of the program.
const left = `const out = Object.keys(localStorage);
for (const {name} of await indexedDB.databases()) {
	const db = await new Promise((f, g) => Object.assign(indexedDB.open(name), {onsuccess: e => f(e.target.result), onerror: g}));
	for (const store of db.objectStoreNames) {
		const keys = await new Promise(f => { db.transaction(store).objectStore(store).getAllKeys().onsuccess = e => f(e.target.result); });
		out.push(...keys.map(key => store + ' ' + key));
	}
	out.push('database ' + name);
	db.close();
}
for (const name of await caches.keys()) for (const {url} of await (await caches.open(name)).keys()) out.push(url);
return out.filter(s => !/^http.*\/([\w.-]*\.(js|css|wasm|gz|json|svg|html|webmanifest|txt))?(\?v=.*)?$/.test(s));`

// TestYourData reads a folder with a table of participants, of which nothing is kept by itself, in reports of which participants have numbers, and
// then erases everything: nothing is left but the program.
func TestYourData(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("cadem.state().owner")
		was := v.Finish()
		v.Until(kept)
		v.Give("#open-folder", folderOf(t, braintest.Derivatives(t)))
		v.Until(`document.querySelector('[data-study=contrast] [name=ids]')`)
		v.Want("#notices", "so nothing of them is kept in this browser", "Keep what is found")
		v.Read(nil, "document.querySelector('[data-study=contrast] [name=ids]').click()")
		v.Until(`document.querySelector('[data-study=contrast] [name=ids]').defaultChecked`)
		for _, f := range [][2]string{{"first", "rest"}, {"second", "emotion"}, {"permutations", "19"}} {
			v.Enter("[data-study=contrast] [name="+f[0]+"]", f[1])
		}
		v.Push("[data-study=contrast] .primary")
		v.Until("document.querySelector('[data-study=contrast] .report')?.innerText.includes('in both conditions')")
		var found []string
		others := func() int {
			t.Helper()
			v.Read(&found, left)
			n, own := 0, 0
			for _, s := range found {
				if kept := strings.HasPrefix(s, "manifests "); kept && strings.Contains(s, was.Run) {
					own++
				} else if kept {
					n++
				}
			}
			if own == 0 {
				t.Errorf("the run of an example is not kept: %q", found)
			}
			return n
		}
		if others() > 0 {
			t.Errorf("kept of a folder with participants: %q", found)
		}
		v.Push("[data-notice=people] .actions button") // Keep what is found
		v.Until("!document.querySelector('#keep-nothing').checked")
		v.Until("cadem.experiments.pending === 0")
		if others() == 0 {
			t.Errorf("kept after it was asked for: %q", found)
		}

		v.Go("runs")
		v.Read(nil, "document.querySelector('#your-data').open = true")
		v.Want("#your-data", "The memory of this tab", "The database of this browser", "hold no recordings unless you ask")
		Axe(t, v.Browser)
		v.Push("#erase")
		v.Push("#erase-sure")
		v.Until("document.documentElement.classList.contains('essay') && !document.querySelector('#your-data table')")
		if v.Read(&found, left); len(found) > 0 {
			t.Errorf("left after everything was erased: %q", found)
		}
		v.Check()
	})
}
