package drive

import (
	"encoding/json"
	"slices"
	"strings"
)

// witness notes what goes wrong in a page: errors that nobody caught, files
// that did not load, violations of the policy and messages to console.error. That
// a size is observed a frame late, after another one, is no problem: that it goes on so is one.
const witness = `(() => {
if (window.driveWitness) return;
const list = [];
let late = 0;
Object.defineProperty(window, 'driveWitness', {value: list});
window.addEventListener('error', e => {
	if (e.message?.startsWith('ResizeObserver loop') && ++late < 4) return;
	list.push('error: ' + (e.message ? [e.message, e.filename + ':' + e.lineno, e.error?.stack].join(' ') : 'did not load: ' + (e.target.src || e.target.href)));
}, true);
window.addEventListener('unhandledrejection', e => list.push('rejection: ' + e.reason + ' ' + (e.reason && e.reason.stack)));
window.addEventListener('securitypolicyviolation', e => list.push('policy: ' + e.effectiveDirective + ' ' + e.blockedURI + ' ' + e.sample));
const say = window.console.error;
window.console.error = (...a) => { list.push('console: ' + a.join(' ')); say.apply(window.console, a); };
})()`

// watch puts the witness into the page. In Chromium it is there before any
// script of the page; elsewhere, from the load event on.
func (b *Browser) watch() error { return b.Eval(nil, witness) }

// collect adds what went wrong since the last call to b.seen. A page that is
// gone has nothing to tell.
func (b *Browser) collect() {
	var list []string
	if b.Eval(&list, "return window.driveWitness ? driveWitness.splice(0) : []") == nil {
		b.seen = append(b.seen, list...)
	}
	b.seen = append(b.seen, b.console()...)
	for _, r := range b.Foreign() {
		if m := "foreign request: " + r; !slices.Contains(b.seen, m) {
			b.seen = append(b.seen, m)
		}
	}
}

// Problems lists everything that went wrong since the start: uncaught errors,
// violations of the policy, errors on the console, and requests to other
// machines or, by the page, to another origin.
func (b *Browser) Problems() []string {
	b.collect()
	var other []string
	err := b.Eval(&other, "return performance.getEntriesByType('resource').map(e => e.name).filter(n => n.startsWith('http') && new "+
		"URL(n).origin !== location.origin)")
	if err == nil {
		for _, n := range other {
			if m := "foreign request: " + n; !slices.Contains(b.seen, m) {
				b.seen = append(b.seen, m)
			}
		}
	}
	return b.seen
}

// console returns the errors that the engine has reported outside the page
// since the last call. WebKitGTK's driver reports none.
func (b *Browser) console() []string {
	var list []string
	switch b.Name {
	case "chromium":
		v, err := b.call("Chromium:Log", map[string]any{"type": "browser"})
		var entries []struct{ Level, Source, Message string }
		if err != nil || json.Unmarshal(v, &entries) != nil {
			return nil
		}
		for _, e := range entries {
			if e.Level == "SEVERE" {
				list = append(list, e.Source+": "+e.Message)
			}
		}
	case "firefox":
		text, n := b.out.from(b.read)
		b.read = n
		for _, line := range strings.Split(text, "\n") {
			// It prints messages of its own, too; those of a page name its address, and are not about its own scripts.
			if strings.Contains(line, "http://127.0.0.1") && !strings.HasPrefix(line, "JavaScript error: resource:") &&
				(strings.HasPrefix(line, "JavaScript error:") || strings.Contains(line, "Content-Security-Policy")) {
				list = append(list, line)
			}
		}
	}
	return list
}
