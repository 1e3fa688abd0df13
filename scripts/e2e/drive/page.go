package drive

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Navigate opens an address in the window and waits for its load event. The
// problems of the page left are kept for Problems.
func (b *Browser) Navigate(url string) error {
	b.collect()
	if _, err := b.call("WebDriver:Navigate", map[string]any{"url": url}); err != nil {
		return err
	}
	return b.watch()
}

// Reload loads the page again, as the browser's button does. In Firefox that
// goes past the service worker; Navigate does not.
func (b *Browser) Reload() error {
	b.collect()
	if _, err := b.call("WebDriver:Refresh", nil); err != nil {
		return err
	}
	return b.watch()
}

// Eval runs the body of an async function in the page, with arg as its args, and decodes its result
// into the value that into points at, unless nil. The page's policy does not bind such a script. Of
// the page's own names, it sees the properties of window.
func (b *Browser) Eval(into any, body string, arg ...any) error {
	if arg == nil {
		arg = []any{}
	}
	script := "const done = arguments[arguments.length - 1], args = [...arguments].slice(0, -1);" +
		"(async () => {" + body + "\n})().then(v => done({v: v === undefined ? null : v}), e => done({e: String(e) + '\\n' + String(e && e.stack)}))"
	v, err := b.call("WebDriver:ExecuteAsyncScript", map[string]any{"script": script, "args": arg})
	if err != nil {
		return err
	}
	var r struct {
		V json.RawMessage
		E string
	}
	if err := json.Unmarshal(v, &r); err != nil {
		return err
	}
	if r.E != "" {
		return errors.New(r.E)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(r.V, into)
}

// Wait asks for the value of a JavaScript expression until it is true. The
// error says what the value was last.
func (b *Browser) Wait(expr string, limit time.Duration) error {
	return wait(expr, limit, func(last *any) error { return b.Eval(last, "return ("+expr+")") })
}

// wait asks until the answer is true.
func wait(what string, limit time.Duration, ask func(last *any) error) error {
	end := time.Now().Add(limit)
	for {
		var last any
		err := ask(&last)
		if err == nil && last != nil && last != false && last != 0.0 && last != "" {
			return nil
		}
		if err != nil && strings.HasPrefix(err.Error(), "TypeError: found") { // there is no such object, or it has other parameters
			return fmt.Errorf("%s: %w", what, err)
		}
		if time.Now().After(end) {
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			return fmt.Errorf("%s: %v after %s", what, last, limit)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// Ask calls methods of the page objects by name, as "runs.count", or a condition of several, and decodes the
// answer into the value that into points at, unless nil. The objects come into a page with the first call.
func (b *Browser) Ask(into any, call string, arg ...any) error {
	return b.objects(into, "ask", call, arg)
}

// Await asks until the answer is true. The error says what it was last. Chromium asks itself, for a while each time.
func (b *Browser) Await(limit time.Duration, call string, arg ...any) error {
	turn := 0 * time.Second
	if b.Name == "chromium" {
		turn = min(2*time.Second, limit)
	}
	return wait(strings.TrimSpace(fmt.Sprintln(append([]any{call}, arg...)...)), limit, func(last *any) error {
		return b.objects(last, "until", call, arg, turn.Milliseconds())
	})
}

// objects calls a function of the page objects' script with the name of a method and its arguments.
func (b *Browser) objects(into any, how, call string, arg []any, more ...any) error {
	if arg == nil {
		arg = []any{}
	}
	for {
		var r struct {
			Missing bool
			Value   json.RawMessage
		}
		err := b.Eval(&r, "const [how, ...given] = args; if (!window.pageObjects) return {missing: true}; return {value: await pageObjects[how](...given)}",
			append([]any{how, call, arg}, more...)...)
		if err == nil && r.Missing {
			if err = b.Eval(nil, b.Objects()+"; window.pageObjects = pageObjects"); err == nil {
				continue
			}
		}
		if err != nil || into == nil || r.Value == nil { // undefined has no text
			return err
		}
		return json.Unmarshal(r.Value, into)
	}
}

// find returns the driver's id of the first element that a CSS selector matches.
func (b *Browser) find(css string) (string, error) {
	v, err := b.call("WebDriver:FindElement", map[string]any{"using": "css selector", "value": css})
	if err != nil {
		return "", err
	}
	var m map[string]string // one entry, whose key is a constant of the standard
	if err := json.Unmarshal(v, &m); err != nil {
		return "", err
	}
	for _, id := range m {
		return id, nil
	}
	return "", fmt.Errorf("no element %s", css)
}

// Click makes a trusted click on the first element that a CSS selector matches. One that the page puts another in the place of
// between finding and clicking it is looked for again.
func (b *Browser) Click(css string) error {
	const most = 5
	for tries := 1; ; tries++ {
		err := b.click(css)
		moved := err != nil && strings.Contains(err.Error(), "not clickable") // what stands above has just come
		if err == nil || tries == most || !moved && !strings.Contains(err.Error(), "stale element") {
			return err
		}
		if moved {
			time.Sleep(200 * time.Millisecond)
		}
	}
}

func (b *Browser) click(css string) error {
	if b.Name == "chromium" {
		return b.clickChromium(css)
	}
	id, err := b.find(css)
	if err != nil {
		return err
	}
	if b.Name == "webkit" {
		return b.clickWebKit(css, id)
	}
	_, err = b.call("WebDriver:ElementClick", map[string]any{"id": id})
	return err
}

// Type types text into an element.
func (b *Browser) Type(css, text string) error {
	id, err := b.find(css)
	if err != nil {
		return err
	}
	_, err = b.call("WebDriver:ElementSendKeys", map[string]any{"id": id, "text": text})
	return err
}

// Upload gives files to a file input.
func (b *Browser) Upload(css string, path ...string) error {
	abs := make([]string, len(path))
	for i, p := range path {
		var err error
		if abs[i], err = filepath.Abs(p); err != nil {
			return err
		}
	}
	return b.Type(css, strings.Join(abs, "\n"))
}

// keyNames are the keys that have no letter, as the WebDriver standard codes them.
var keyNames = map[string]string{
	"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a",
	"Escape": "\ue00c", "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
	"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
}

// Press presses and releases keys one after another, wherever the focus is: a
// character, a name such as "Enter" or "ArrowLeft", or several held together,
// such as "Shift+Tab".
func (b *Browser) Press(key ...string) error {
	var acts []map[string]any
	for _, k := range key {
		parts := strings.Split(k, "+")
		if k == "+" {
			parts = []string{k}
		}
		for i, p := range parts {
			if code, ok := keyNames[p]; ok {
				parts[i] = code
			} else if len([]rune(p)) != 1 {
				return fmt.Errorf("drive: no key %q", p)
			}
		}
		for _, p := range parts {
			acts = append(acts, map[string]any{"type": "keyDown", "value": p})
		}
		for i := len(parts) - 1; i >= 0; i-- {
			acts = append(acts, map[string]any{"type": "keyUp", "value": parts[i]})
		}
	}
	_, err := b.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": acts}}})
	return err
}

// Touch puts a finger on the first element that a CSS selector matches, moves it on and lifts it. Places are parts of the element's width and height from its
// upper left corner, and may lie beyond it. One place is a tap.
func (b *Browser) Touch(css string, at ...[2]float64) error {
	var r [4]float64
	if err := b.Eval(&r, "const r = document.querySelector(args[0]).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]", css); err != nil {
		return err
	}
	var acts []map[string]any
	for k, p := range at {
		move := map[string]any{"type": "pointerMove", "origin": "viewport", "x": int(r[0] + p[0]*r[2]), "y": int(r[1] + p[1]*r[3])}
		if k > 0 {
			move["duration"] = 100 // ms
		}
		acts = append(acts, move)
		if k == 0 {
			acts = append(acts, map[string]any{"type": "pointerDown", "button": 0})
		}
	}
	acts = append(acts, map[string]any{"type": "pointerUp", "button": 0})
	_, err := b.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": "finger", "parameters": map[string]any{"pointerType": "touch"}, "actions": acts}}})
	return err
}

// Screenshot writes a PNG of the window.
func (b *Browser) Screenshot(path string) error {
	if b.Name == "webkit" {
		img, err := b.screen()
		if err != nil {
			return err
		}
		var picture bytes.Buffer
		if err := png.Encode(&picture, img); err != nil {
			return err
		}
		return os.WriteFile(path, picture.Bytes(), 0o644)
	}
	v, err := b.call("WebDriver:TakeScreenshot", map[string]any{"full": false})
	if err != nil {
		return err
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return err
	}
	p, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path, p, 0o644)
}

// NewTab opens a tab, moves to it, and returns the handles of the old and the new.
func (b *Browser) NewTab() (old, tab string, err error) {
	v, err := b.call("WebDriver:GetWindowHandle", nil)
	if err != nil {
		return "", "", err
	}
	if err := json.Unmarshal(v, &old); err != nil {
		return "", "", err
	}
	kind := "tab"
	if b.Name == "webkit" {
		kind = "window" // its tabs open behind the current one, where nothing is drawn
	}
	if v, err = b.call("WebDriver:NewWindow", map[string]any{"type": kind}); err != nil {
		return "", "", err
	}
	var h struct{ Handle string }
	if err := json.Unmarshal(v, &h); err != nil {
		return "", "", err
	}
	if err := b.Switch(h.Handle); err != nil {
		return "", "", err
	}
	if b.Name == "chromium" { // the script of the first tab is that tab's alone
		err = b.cdp("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": witness})
	}
	return old, h.Handle, err
}

// Switch moves to a tab.
func (b *Browser) Switch(handle string) error {
	_, err := b.call("WebDriver:SwitchToWindow", map[string]any{"handle": handle, "focus": true})
	return err
}

// CloseTab closes the tab; Switch has to follow.
func (b *Browser) CloseTab() error {
	b.collect()
	_, err := b.call("WebDriver:CloseWindow", nil)
	return err
}

// Download waits until a file of that name, a pattern of filepath.Match, has
// been downloaded whole, and returns its path. It waits for one that is not empty.
func (b *Browser) Download(pattern string, limit time.Duration) (string, error) {
	size := int64(-1)
	for end := time.Now().Add(limit); ; time.Sleep(25 * time.Millisecond) {
		list, err := os.ReadDir(b.Downloads())
		if err != nil {
			return "", err
		}
		part := false
		for _, e := range list {
			part = part || strings.HasSuffix(e.Name(), ".crdownload") || strings.HasSuffix(e.Name(), ".part")
		}
		for _, e := range list {
			if ok, err := filepath.Match(pattern, e.Name()); err != nil {
				return "", err
			} else if ok && !part {
				before := size
				if info, err := e.Info(); err == nil {
					size = info.Size()
				}
				if size <= 0 {
					continue // Firefox makes an empty file of the final name before it begins with the part
				}
				path := filepath.Join(b.Downloads(), e.Name())
				// WebKit writes under the final name: wait until the file grows no more.
				if b.Name != "webkit" || size == before {
					return path, nil
				}
				time.Sleep(300 * time.Millisecond)
			}
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("no download %s after %s", pattern, limit)
		}
	}
}
