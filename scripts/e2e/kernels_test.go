package e2e

import (
	"testing"

	"cadem/scripts/e2e/drive"
)

// spy lets the page ask a worker how many modules it has linked that take the
// program's memory, as the kernels do.
const spy = `{
const instantiate = WebAssembly.instantiate;
let linked = 0;
WebAssembly.instantiate = (module, imports) => {
	if (imports?.go?.mem) linked++;
	return instantiate.call(WebAssembly, module, imports);
};
const line = new BroadcastChannel('e2e');
line.onmessage = ({data}) => { if (data === 'linked?') line.postMessage({linked}); };
}`

// TestKernels runs a course with the SIMD kernels and without them, and finds
// the bits of the native program both times.
func TestKernels(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		want := Small.Train(t).Hash
		for _, kind := range []struct {
			name, prelude string
			kernels       bool
		}{
			{"vectors", spy, true},
			{"scalars", spy + `WebAssembly.validate = () => false;`, false},
		} {
			t.Run(kind.name, func(t *testing.T) {
				s := NewSite(t)
				s.Precede(s.Built.Worker, kind.prelude)
				v := Open(t, engine, s, drive.Options{}, Small.Link())
				v.Until(untouch)
				var linked int
				v.Read(&linked, `const line = new BroadcastChannel('e2e');
const all = [];
line.onmessage = ({data}) => all.push(data.linked);
line.postMessage('linked?');
while (all.length < 2) await new Promise(f => setTimeout(f, 5));
line.close();
return all[0] + all[1];`)
				if (linked > 0) != kind.kernels {
					t.Errorf("the two workers have linked %d kernels", linked)
				}
				if st := v.Finish(); st.Hash != want {
					t.Errorf("hash %s, natively %s", st.Hash, want)
				}
				v.Check()
			})
		}
	})
}
