package e2e

import (
	"fmt"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// drawnParts are the parts of the page that are on screen, of those that a link can leave out or frame.
const drawnParts = `const document = globalThis.document.querySelector('iframe')?.contentDocument ?? globalThis.document;
return ['masthead', 'places', 'place-switch', 'learn', 'lab', 'settings', 'pulls', 'tabs', 'stage', 'play'].filter(id =>
	(document.getElementById(id) ?? document.querySelector('.' + id)).getClientRects().length > 0).join(' ')`

// TestLinkLeavesOut opens links that leave parts out, and finds just those missing, and the stage alone where it is embedded.
func TestLinkLeavesOut(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		for _, c := range []struct{ link, want string }{
			{"place=learn", "masthead places learn tabs stage play"},
			{"place=lab", "masthead places lab settings pulls tabs stage play"},
			{"place=learn&hide=learn.tabs", "masthead places stage play"},
			{"place=lab&hide=settings.pulls.places", "masthead lab tabs stage play"},
			{"embed=1", "pulls tabs stage play"},
			{"embed=1&place=data&hide=pulls.tabs", "stage play"}, // the stage, whatever the place
		} {
			v.Read(nil, "location.hash = args[0]", Small.Link()+"&"+c.link)
			var got string
			v.Read(nil, "await new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))") // the page has followed
			if v.Read(&got, drawnParts); got != c.want {
				t.Errorf("%s shows %s, want %s", c.link, got, c.want)
			}
		}
		// On a phone, too, the stage of a frame has all that the run control leaves.
		if err := v.Resize(390, 844); err != nil {
			t.Skip(err)
		}
		v.Read(nil, "location.hash = args[0]", Small.Link()+"&embed=1&hide=pulls")
		var free float64
		v.Until("!document.querySelector('#pulls').checkVisibility()")
		v.Read(&free, `const {top, bottom} = document.querySelector('#stage').getBoundingClientRect();
return top + document.querySelector('.runbar').getBoundingClientRect().top - bottom`)
		if free > 1 {
			t.Errorf("an embedded stage leaves %.0f px", free)
		}
		v.Check()
	})
}

// TestLinkLocks opens links that lock the page and that write large: nothing that is locked takes the focus, and letters are larger.
func TestLinkLocks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab")
		const focused = `return ['#options-epochs', '.pull input', '#data-picker input'].filter(s => {
	const e = document.querySelector(s);
	for (let d = e.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
	e.dispatchEvent(new CustomEvent('reveal', {bubbles: true}));
	e.focus();
	return document.activeElement === e;
}).length`
		const size = "return parseFloat(getComputedStyle(document.querySelector('#status')).fontSize)"
		var before, after struct{ Focused, Size float64 }
		v.Read(&before.Focused, focused)
		v.Read(&before.Size, size)
		v.Read(nil, "location.hash = args[0]", Small.Link()+"&place=lab&lock=1&big=1")
		v.Until("document.querySelector('#settings-form').inert && document.documentElement.classList.contains('big')")
		v.Read(&after.Focused, focused)
		v.Read(&after.Size, size)
		if before.Focused != 3 || after.Focused != 0 || after.Size <= 1.1*before.Size {
			t.Errorf("%+v, locked and large %+v", before, after)
		}
		v.Go("learn")
		v.Finish()                                                                 // the run control is not locked
		v.Read(nil, "location.hash = args[0]", "#v=1&data=town&lesson=3.1&lock=1") // nor does a card change what is locked
		v.Until("document.querySelector('#lesson-knob')?.disabled && document.querySelector('#lesson-card').textContent === 'Without matching'")
		for _, css := range []string{"#lesson-do", "#lesson-train"} {
			if v.visible(css) {
				t.Errorf("a locked card has %s", css)
			}
		}
		v.Check()
	})
}

// TestLinkLooksBack opens a link to an epoch, at a pace and with nodes chosen: all three are as the link says, and changes by hand appear in the
// link.
func TestLinkLooksBack(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&place=lab&at=5&pace=25&select=0-2.7")
		v.Until(untouch + " && document.querySelector('#pace-text').textContent === '25 epochs/s'")
		v.Want(".picked", "4 nodes: node 0, node 1, node 2, node 7")
		st := v.Finish()
		v.Until("document.querySelector('#snapshot-text').textContent === '5'")
		v.Want("#epoch-text", "epoch 12 of 12", "fingerprint "+st.Hash)
		v.Want(".picked", "4 nodes") // they stay for the run
		v.Pace(fullSpeed)
		v.Read(nil, `const e = document.querySelector('#snapshot');
e.value = e.max;
e.dispatchEvent(new Event('input', {bubbles: true}));`)
		v.Until("!/(at|pace)=/.test(location.hash) && location.hash.includes('select=0-2.7')")
		v.Enter("#find-node", "9")
		v.Until("location.hash.includes('select=9')")
		v.Read(nil, "location.hash = location.hash.replace('select=9', 'select=3-4')")
		v.Until("document.querySelector('.picked').textContent.startsWith('2 nodes: node 3, node 4')")
		v.Push(".picked button")
		v.Until("!location.hash.includes('select=')")
		v.Read(nil, "location.hash += '&select=88-95'")
		v.Until("location.hash.includes('select=88-89')") // the graph has 90 nodes
		v.Enter("#dataOptions-nodes", "40")
		v.Until("cadem.settings().dataOptions.nodes === 40 && !location.hash.includes('select=')") // other nodes have the numbers
		v.Check()
	})
}

// TestPlacesBack goes through places while a run trains, and by the browser's buttons back through them and on again. The run
// goes on, and each place has its own address.
func TestPlacesBack(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab")
		v.Pace(slowest)
		v.Push("#play")
		v.Until("cadem.state().phase === 'running'")
		run := v.State().Run
		var before, after int
		v.Read(&before, "return history.length")
		at := func(place string) {
			t.Helper()
			v.Until(fmt.Sprintf("document.body.dataset.at === %q && cadem.settings().view.place === %[1]q && location.hash.includes('place=' + %[1]q)", place))
		}
		v.Go("data")
		v.Go("data") // where it is
		v.Go("runs")
		at("runs")
		for _, step := range []struct {
			by    int
			place string
		}{{-1, "data"}, {-1, "lab"}, {2, "runs"}, {-2, "lab"}} {
			v.Read(nil, "history.go(args[0])", step.by)
			at(step.place)
		}
		v.Go("data") // what was ahead is gone
		at("data")
		if v.Read(&after, "return history.length"); after != before+1 {
			t.Errorf("%d addresses to go to, %d before; one place ahead of it was chosen", after, before)
		}
		if st := v.State(); st.Run != run || st.Phase != "running" {
			t.Errorf("run %s %s, want %s running", st.Run, st.Phase, run)
		}
		v.Check()
	})
}

// TestFrame opens the page that frames the stage: the frame trains, and neither page may frame what is of another origin.
func TestFrame(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
		framed := func(expr string) string {
			return "(w => { const {document, cadem} = w; return Boolean(cadem && (" + expr + ")); })(document.querySelector('iframe').contentWindow)"
		}
		v.must(v.Navigate(s.URL + "frame.html"))
		v.Until(framed("cadem.state().ready && !document.querySelector('#play').disabled && document.querySelector('#embeddings-view canvas')"))
		var got string
		if v.Read(&got, drawnParts); got != "tabs stage play" {
			t.Errorf("the frame shows %s", got)
		}
		v.Read(nil, "document.querySelector('iframe').contentDocument.querySelector('#play').click()")
		v.Until(framed(finished))
		v.Check()
		other := lay(t) // at a port that browsers do not shun before they look at the policy
		var blocked string
		v.Read(&blocked, `const frame = document.createElement('iframe');
return new Promise(done => {
	addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));
	frame.src = args[0];
	document.body.append(frame);
})`, "http://"+other.addr)
		if n := other.hits.Load(); blocked != "frame-src" || n > 0 {
			t.Errorf("a frame of another origin was stopped by %q, and asked for %d times", blocked, n)
		}
	})
}
