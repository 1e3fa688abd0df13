package main

import (
	"encoding/json"
	"fmt"
	"time"

	"cadem/scripts/e2e/drive"
)

// A page is the one that measures, open in Chromium, with a frame for each variant of the
// site.
type page struct{ *drive.Browser }

// patience bounds a single measurement that hangs.
const patience = 10 * time.Minute

func openPage(url string) (*page, error) {
	b, err := drive.Start("chromium", drive.Options{})
	if err != nil {
		return nil, err
	}
	p := &page{b}
	if err := p.Navigate(url + "shipped/bench.html"); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *page) close() { p.Close() }

// call calls a function of page/bench.js in the frame of a variant and decodes what it
// returns. The browser is left alone meanwhile: a driver that keeps asking would be measured
// too.
func (p *page) call(variant, function string, into any, arg any) error {
	const start = `let frame = document.getElementById(args[0]);
if (!frame) {
	frame = document.createElement('iframe');
	frame.id = args[0];
	frame.src = '../' + args[0] + '/bench.html';
	document.body.append(frame);
}
while (!frame.contentWindow.bench) await new Promise(f => setTimeout(f, 5));
window.job = frame.contentWindow.bench[args[1]](args[2]).then(v => ({value: v === undefined ? null : v}), e => ({error: String(e?.stack ?? e)}));`
	const wait = `return await Promise.race([job, new Promise(f => setTimeout(f, 60000, null))]);`
	fail := func(err error) error { return fmt.Errorf("%s in Chromium (%s): %w", function, variant, err) }
	if err := p.Eval(nil, start, variant, function, arg); err != nil {
		return fail(err)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var done *struct {
			Value json.RawMessage
			Error string
		}
		if err := p.Eval(&done, wait); err != nil {
			return fail(err)
		}
		switch {
		case done == nil:
			continue
		case done.Error != "":
			return fail(fmt.Errorf("%s", done.Error))
		case into == nil:
			return nil
		}
		return json.Unmarshal(done.Value, into)
	}
	return fail(fmt.Errorf("no answer after %s", patience))
}
