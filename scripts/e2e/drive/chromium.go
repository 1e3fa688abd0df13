package drive

import (
	"errors"
	"os"
	"os/exec"
)

// Arguments of Chromium. The second half keeps the browser's own services,
// which are not the page's, from asking the network.
var chromiumArgs = []string{
	"--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1280,800", "--hide-scrollbars",
	"--force-color-profile=srgb", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
	"--disable-crash-reporter", "--disable-dev-shm-usage",

	"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
	"--disable-domain-reliability", "--disable-client-side-phishing-detection",
	"--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater,NetworkTimeServiceQuerying",
}

// chromium returns the program, and its driver's name for it. With CADEM_SHELL it is Chromium without windows, if that is
// installed: the same engine, at half of the processor's time, which knows hardly any preferences and arguments.
func chromium(o Options) (bin, name string, err error) {
	if os.Getenv("CADEM_SHELL") != "" && o.Prefs == nil && o.Args == nil {
		if bin, err = exec.LookPath("chromium-headless-shell"); err == nil {
			return bin, "chrome-headless-shell", nil
		}
	}
	bin, err = exec.LookPath("chromium")
	return bin, "chrome", err
}

func (b *Browser) startChromium(o Options) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	bin, name, err := chromium(o)
	if err != nil {
		return err
	}
	if err := b.group.start(b.out, nil, o.Env, "chromedriver", "--port="+port); err != nil {
		return err
	}
	prefs := map[string]any{
		"download.default_directory":     b.Downloads(),
		"download.prompt_for_download":   false,
		"net.network_prediction_options": 2, // no connections ahead of need
		// An export is several downloads in a row; no one is there to allow it.
		"profile.default_content_setting_values.automatic_downloads": 1,
	}
	for k, v := range o.Prefs {
		prefs[k] = v
	}
	args := append([]string{"--user-data-dir=" + b.Profile, "--proxy-server=http://" + b.proxy.addr}, chromiumArgs...)
	if name == "chrome-headless-shell" { // what runs for a second is not worth what optimising it costs
		args = append(args, "--js-flags=--wasm-tiering-budget=60000000", "--process-per-site")
		b.OneProcess = true
	}
	if err := b.open(port, callLimit, map[string]any{
		"browserName":        name,
		"goog:chromeOptions": map[string]any{"binary": bin, "args": append(args, o.Args...), "prefs": prefs},
		"goog:loggingPrefs":  map[string]any{"browser": "ALL"},
	}); err != nil {
		return err
	}
	// Without windows the first tab does not take it from the preferences.
	if err := b.cdp("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": b.Downloads()}); err != nil {
		return err
	}
	return b.cdp("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": witness})
}

// LimitStorage limits the bytes that an origin keeps. Other browsers have a preference for it that counts from their start.
func (b *Browser) LimitStorage(origin string, bytes int64) error {
	if b.Name != "chromium" {
		return ErrUnsupported
	}
	return b.cdp("Storage.overrideQuotaForOrigin", map[string]any{"origin": origin, "quotaSize": bytes})
}

// Drop drops files and folders on the middle of the page, which Chromium alone can be told.
func (b *Browser) Drop(path ...string) error {
	if b.Name != "chromium" {
		return ErrUnsupported
	}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		data := map[string]any{"items": []any{}, "files": path, "dragOperationsMask": 1}
		if err := b.cdp("Input.dispatchDragEvent", map[string]any{"type": kind, "x": 300, "y": 300, "data": data}); err != nil {
			return err
		}
	}
	return nil
}

// clickable scrolls to an element, waits until it stays in its place, and returns the middle of what is seen of it. It is an error that
// something lies over it. window.clickHit says whether the next press meets it.
const clickable = `const e = document.querySelector(args[0]);
if (!e) throw new Error('no element ' + args[0]);
const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
const place = () => e.getClientRects()[0], frame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 50); });
let over;
for (const scroll of [() => e.scrollIntoViewIfNeeded(), () => e.scrollIntoView({block: 'center', behavior: 'instant'})]) {
	scroll();
	let r = place();
	for (let i = 0, was; i < 20 && was?.x + ' ' + was?.y !== r?.x + ' ' + r?.y; i++) {
		was = r;
		await frame();
		r = place();
	}
	if (!r?.width || !r.height || !e.checkVisibility({visibilityProperty: true})) throw new Error(args[0] + ' is not interactable');
	const at = [middle(r.left, r.right, innerWidth), middle(r.top, r.bottom, innerHeight)];
	over = document.elementFromPoint(...at);
	if (!e.contains(over)) continue;
	window.clickHit = true;
	addEventListener('mousedown', event => { window.clickHit = event.composedPath().includes(e); }, {capture: true, once: true});
	return at;
}
throw new Error(args[0] + ' is not clickable: over it lies ' + over?.outerHTML.slice(0, 200));`

// clickChromium clicks an element. The driver's own click does the same by scripts of its own, which take 70 ms of the processor's time
// each time.
func (b *Browser) clickChromium(css string) error {
	var at [2]float64
	err := b.Eval(&at, clickable, css)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		event := map[string]any{"type": kind, "x": at[0], "y": at[1]}
		if kind != "mouseMoved" {
			event["button"], event["clickCount"] = "left", 1
		}
		if err == nil {
			err = b.cdp("Input.dispatchMouseEvent", event)
		}
	}
	hit := true
	if err == nil && b.Eval(&hit, "return window.clickHit ?? true") == nil && !hit { // a press may leave the page
		return errors.New(css + " is not clickable: it has moved")
	}
	return err
}

// cdp sends a command of the Chrome DevTools protocol.
func (b *Browser) cdp(method string, params map[string]any) error {
	_, err := b.call("Chromium:CDP", map[string]any{"cmd": method, "params": params})
	return err
}
