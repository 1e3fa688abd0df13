// Package drive drives Chromium, Firefox and WebKitGTK through one small
// interface, with the standard library only. Chromium goes through chromedriver
// and WebKitGTK through WebKitWebDriver, which both speak W3C WebDriver over
// HTTP; Firefox is spoken to in Marionette, the protocol that geckodriver
// translates to: commands and answers are the same, the framing differs.
//
// A browser starts with a profile of its own and without a way out: what it
// asks of any other machine goes to a proxy that refuses and remembers it.
// Every process of a browser is in one process group, which ends with the
// program that started it, whatever becomes of that program.
package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Engines are the names that Start knows.
var Engines = []string{"chromium", "firefox", "webkit"}

// ErrUnsupported is the answer of an engine that cannot do what was asked.
var ErrUnsupported = errors.New("drive: this engine cannot do that")

// Options says how to start a browser. The zero value is a fresh profile in a
// temporary folder, 1280 by 800 pixels.
type Options struct {
	Profile string         // folder kept across starts; empty for one that Close removes
	Prefs   map[string]any // preferences by the engine's own names
	Args    []string       // further arguments of the browser
	Env     []string       // further environment, NAME=value
}

// A Browser is a running browser with one window.
type Browser struct {
	Name    string
	Profile string        // folder of its storage; Downloads are in it, too
	Objects func() string // the script that defines pageObjects, whose function ask Ask calls

	OneProcess bool // pages of one host share a content process

	call  func(op string, params map[string]any) (json.RawMessage, error)
	quit  func()
	group *group
	proxy *proxy
	out   *tail
	own   bool     // the profile was made by Start
	ended bool     // KillContent has ended pages
	kept  string   // the tab that Renew leaves open
	read  int      // what console has read of out
	seen  []string // problems collected so far
}

// Available says whether the programs that an engine needs are installed.
func Available(name string) error {
	var need []string
	switch name {
	case "chromium":
		need = []string{"chromedriver", "chromium"}
	case "firefox":
		need = []string{"firefox-esr"}
	case "webkit":
		need = []string{"WebKitWebDriver", "Xvfb"}
	default:
		return fmt.Errorf("drive: no browser %q (expected one of %v)", name, Engines)
	}
	for _, p := range need {
		if _, err := exec.LookPath(p); err != nil {
			return fmt.Errorf("drive: %s needs %s, which is not installed; run: make setup E2E=%s", name, p, name)
		}
	}
	return nil
}

// Start starts a browser by its name in Engines.
func Start(name string, o Options) (*Browser, error) {
	if err := Available(name); err != nil {
		return nil, err
	}
	b := &Browser{Name: name, Profile: o.Profile, out: &tail{}}
	if o.Profile == "" {
		p, err := os.MkdirTemp("", "drive-"+name+"-")
		if err != nil {
			return nil, err
		}
		b.Profile, b.own = p, true
	}
	if err := os.MkdirAll(b.Downloads(), 0o755); err != nil {
		return nil, err
	}
	err := b.start(o)
	if err == nil {
		_, err = b.call("WebDriver:SetTimeouts", map[string]any{"script": scriptLimit.Milliseconds(), "pageLoad": pageLimit.Milliseconds()})
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("drive: %s: %w\n%s", name, err, b.out)
	}
	return b, nil
}

// Limits on what a page may take. A driver can leave a request unanswered for
// good, so each call has a limit of its own above them.
const (
	scriptLimit = 120 * time.Second
	pageLimit   = 240 * time.Second // as patient as tests are: a busy machine may leave a page without a turn for a minute
	callLimit   = 270 * time.Second
)

func (b *Browser) start(o Options) (err error) {
	if b.proxy, err = startProxy(); err != nil {
		return err
	}
	if b.group, err = newGroup(); err != nil {
		return err
	}
	switch b.Name {
	case "chromium":
		return b.startChromium(o)
	case "firefox":
		return b.startFirefox(o)
	default:
		return b.startWebKit(o)
	}
}

// Keep has the present tab stay open behind those of tests.
func (b *Browser) Keep() error {
	v, err := b.call("WebDriver:GetWindowHandle", nil)
	if err == nil {
		err = json.Unmarshal(v, &b.kept)
	}
	return err
}

// Renew leaves of a browser nothing but its process and a tab that was kept: one empty tab, in a content process of its own where the
// engine has several, no downloads, nothing emulated, and no problems so far. What pages have stored stays, under their origins.
func (b *Browser) Renew() error {
	v, err := b.call("WebDriver:GetWindowHandles", nil)
	if err != nil {
		return err
	}
	var old []string
	if err := json.Unmarshal(v, &old); err != nil {
		return err
	}
	_, tab, err := b.NewTab()
	if err != nil {
		return err
	}
	for _, handle := range old {
		if handle == b.kept {
			continue
		}
		if err := b.Switch(handle); err != nil {
			return err
		}
		if err := b.CloseTab(); err != nil {
			return err
		}
	}
	if err := b.Switch(tab); err != nil {
		return err
	}
	if b.Name != "chromium" { // where sizes and media are those of a tab
		if err := errors.Join(b.SetMedia(Media{}), b.Resize(1280, 800)); err != nil && !errors.Is(err, ErrUnsupported) {
			return err
		}
	}
	b.collect()
	b.proxy.forget()
	b.seen = nil
	list, err := os.ReadDir(b.Downloads())
	for _, e := range list {
		err = errors.Join(err, os.Remove(filepath.Join(b.Downloads(), e.Name())))
	}
	return err
}

// Downloads is the folder in which the browser puts downloads, without asking.
func (b *Browser) Downloads() string { return filepath.Join(b.Profile, "downloads") }

// Output returns the last part of the output of the browser and its driver.
func (b *Browser) Output() string { return b.out.String() }

// Foreign lists the requests to other machines since the start, each a method
// and an address, except for those that the browser makes whatever the page. All
// were refused.
func (b *Browser) Foreign() []string { return b.proxy.requests() }

// Kill ends every process of the browser at once, as a crash or a loss of power
// would, and returns when all are gone. The profile stays, to be started again.
func (b *Browser) Kill() {
	if b.group != nil {
		b.group.kill()
	}
	if b.proxy != nil {
		b.proxy.stop()
	}
}

// content is in the command lines of processes that run pages.
var content = map[string]string{"chromium": "--type=renderer", "firefox": "-isForBrowser", "webkit": "WebKitWebProcess"}

// KillContent ends every process that runs pages, as a crash of a page would, and returns how many there were. The browser itself
// stays; its driver may not answer any more.
func (b *Browser) KillContent() (n int) {
	b.ended = true
	for _, pid := range members(b.group.guard.Process.Pid) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && bytes.Contains(line, []byte(content[b.Name])) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}

// Crashed reports whether a process that runs pages has ended by a fault of its own. It knows of WebKit, which has no answer from then on.
func (b *Browser) Crashed() bool {
	return b.Name == "webkit" && !b.ended && strings.Contains(b.Output(), "WebProcess CRASHED")
}

// Close ends the browser in good order, and removes a profile that Start made.
func (b *Browser) Close() {
	if b.quit != nil {
		b.quit()
		b.quit = nil
	}
	b.Kill()
	if b.own {
		_ = os.RemoveAll(b.Profile) // a temporary folder at worst
	}
}
