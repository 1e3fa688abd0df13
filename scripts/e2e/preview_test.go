package e2e

import (
	"fmt"
	"testing"

	"cadem/scripts/e2e/drive"
)

// hesitant has requests to open data wait in the worker of the compute program while they are held.
const hesitant = `{
const line = new BroadcastChannel('e2e');
let role = '', held = null;
addEventListener('message', e => {
	if (e.data.start) role = e.data.role;
	if (!held || !e.data.header || JSON.parse(e.data.header).kind !== 'open') return;
	e.stopImmediatePropagation();
	held.push(e.data);
});
line.onmessage = ({data}) => {
	if (role !== 'compute') return;
	if (data === 'hold') held = [];
	else if (data === 'release') {
		const waiting = held;
		held = null;
		for (const data of waiting) dispatchEvent(new MessageEvent('message', {data}));
	} else return;
	line.postMessage(data + ' done');
};
}`

// opens has a hesitant compute program hold requests to open data, or release them.
func (v *Visit) opens(what string) {
	v.t.Helper()
	v.Read(nil, `const line = new BroadcastChannel('e2e');
await new Promise(f => {
	line.onmessage = ({data}) => { if (data === args[0] + ' done') f(); };
	line.postMessage(args[0]);
});
line.close();`, what)
}

// TestChangeWhileOpening changes settings while the data of the change before are being opened. In the end status, data and
// pictures are those of the last change.
func TestChangeWhileOpening(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, hesitant)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		for i, wait := range []int{0, 1000} { // ms; within what the page waits for further changes, and beyond
			v.opens("hold")
			v.Enter("#dataOptions-nodes", fmt.Sprint(100+i))
			v.Until("cadem.state().phase === 'opening'")
			v.Enter("#dataOptions-nodes", fmt.Sprint(110+i))
			v.Enter("#options-epochs", fmt.Sprint(7+i))
			v.Read(nil, "await new Promise(f => setTimeout(f, args[0]))", wait)
			v.opens("release")
			v.Until(fmt.Sprintf("%s && cadem.state().epochs === %d && document.querySelector('#data-summary').textContent.includes('%d nodes')", untouch, 7+i, 110+i))
			v.Want("#status", fmt.Sprintf("nodes %d", 110+i), "untrained")
			v.Until(fmt.Sprintf("[...document.querySelectorAll('#embeddings-view .legend .key')].reduce((sum, k) => sum + parseInt(k.title), 0) === %d", 110+i))
		}
		c := Small.With(map[string]any{"nodes": 111}, map[string]any{"epochs": 8})
		v.Push("#play")
		v.Until(finished)
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("%+v, natively %s", st, want.Hash)
		}
		v.Check()
	})
}
