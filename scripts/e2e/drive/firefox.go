package drive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// marionette is a connection to Firefox: each message is its length in bytes, a
// colon and a JSON list.
type marionette struct {
	mu sync.Mutex
	c  net.Conn
	r  *bufio.Reader
	id int
}

func (m *marionette) read() ([]byte, error) {
	s, err := m.r.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(s, ":"))
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(m.r, b)
	return b, err
}

func (m *marionette) call(op string, p map[string]any) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p == nil {
		p = map[string]any{}
	}
	if err := m.c.SetDeadline(time.Now().Add(callLimit)); err != nil {
		return nil, err
	}
	m.id++
	b, err := json.Marshal([]any{0, m.id, op, p})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(m.c, "%d:%s", len(b), b); err != nil {
		return nil, err
	}
	if b, err = m.read(); err != nil {
		return nil, err
	}
	var f []json.RawMessage // 1, id, error, result
	if err := json.Unmarshal(b, &f); err != nil || len(f) != 4 {
		return nil, fmt.Errorf("marionette: %q", b)
	}
	if string(f[2]) != "null" {
		e := new(Error)
		if err := json.Unmarshal(f[2], e); err != nil {
			return nil, fmt.Errorf("marionette: %q", f[2])
		}
		return nil, e
	}
	var v struct{ Value json.RawMessage }
	if json.Unmarshal(f[3], &v) == nil && v.Value != nil {
		return v.Value, nil
	}
	return f[3], nil
}

// firefoxPrefs let a driver in, print the console, and keep the browser's own
// services from asking the network.
func (b *Browser) firefoxPrefs() map[string]any {
	host, port, _ := net.SplitHostPort(b.proxy.addr)
	n, _ := strconv.Atoi(port)
	return map[string]any{
		"marionette.port":                 0, // any free port; it is written to the profile
		"remote.log.level":                "Error",
		"devtools.console.stdout.content": true,
		"browser.dom.window.dump.enabled": true,

		"network.proxy.type":      1,
		"network.proxy.http":      host,
		"network.proxy.ssl":       host,
		"network.proxy.http_port": n,
		"network.proxy.ssl_port":  n,

		"browser.download.dir":                   b.Downloads(),
		"browser.download.folderList":            2, // the folder named above
		"browser.download.useDownloadDir":        true,
		"browser.download.panel.shown":           true,
		"browser.helperApps.neverAsk.saveToDisk": "application/octet-stream,application/zip,text/csv,application/json,image/png",

		"browser.shell.checkDefaultBrowser":             false,
		"browser.startup.homepage_override.mstone":      "ignore",
		"browser.startup.page":                          0,
		"datareporting.policy.dataSubmissionEnabled":    false,
		"toolkit.telemetry.reportingpolicy.firstRun":    false,
		"toolkit.telemetry.server":                      "data:,",
		"app.update.enabled":                            false,
		"app.normandy.enabled":                          false,
		"network.captive-portal-service.enabled":        false,
		"network.connectivity-service.enabled":          false,
		"browser.safebrowsing.malware.enabled":          false,
		"browser.safebrowsing.phishing.enabled":         false,
		"browser.safebrowsing.update.enabled":           false,
		"browser.region.network.url":                    "",
		"browser.newtabpage.enabled":                    false,
		"services.settings.server":                      "data:,",
		"extensions.update.enabled":                     false,
		"extensions.getAddons.cache.enabled":            false,
		"media.gmp-manager.updateEnabled":               false,
		"dom.push.enabled":                              false,
		"dom.disable_open_during_load":                  false,
		"dom.ipc.processPrelaunch.enabled":              false,
		"security.sandbox.warn_unprivileged_namespaces": false,
	}
}

func (b *Browser) startFirefox(o Options) error {
	prefs := b.firefoxPrefs()
	maps.Copy(prefs, o.Prefs)
	var u strings.Builder
	for k, v := range prefs {
		j, err := json.Marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(&u, "user_pref(%q, %s);\n", k, j)
	}
	if err := os.WriteFile(filepath.Join(b.Profile, "user.js"), []byte(u.String()), 0o644); err != nil {
		return err
	}
	active := filepath.Join(b.Profile, "MarionetteActivePort")
	if err := os.Remove(active); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	env := append([]string{"MOZ_CRASHREPORTER_DISABLE=1", "MOZ_HEADLESS_WIDTH=1280", "MOZ_HEADLESS_HEIGHT=800"}, o.Env...)
	args := append([]string{"--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", b.Profile}, o.Args...)
	if err := b.group.start(b.out, nil, env, "firefox-esr", args...); err != nil {
		return err
	}
	m := &marionette{}
	for i := 0; m.c == nil; i++ {
		if p, err := os.ReadFile(active); err == nil && len(p) > 0 {
			if c, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(p))); err == nil {
				m.c = c
				break
			}
		}
		if i == 1200 {
			return errors.New("no Marionette port")
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.r = bufio.NewReaderSize(m.c, 1<<16)
	if _, err := m.read(); err != nil { // the greeting
		return err
	}
	b.call = m.call
	b.quit = func() { // Kill follows
		_, _ = m.call("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}})
		_ = m.c.Close()
	}
	_, err := m.call("WebDriver:NewSession", map[string]any{"strictFileInteractability": false})
	return err
}

// setPrefs changes preferences of a running Firefox.
func (b *Browser) setPrefs(prefs map[string]int) error {
	return b.chrome("for (const [k, v] of Object.entries(arguments[0])) Services.prefs.setIntPref(k, v)", prefs)
}

// chrome runs a script in the window of Firefox itself.
func (b *Browser) chrome(script string, arg ...any) error {
	if _, err := b.call("Marionette:SetContext", map[string]any{"value": "chrome"}); err != nil {
		return err
	}
	_, err := b.call("WebDriver:ExecuteScript", map[string]any{"args": append([]any{}, arg...), "script": script})
	_, back := b.call("Marionette:SetContext", map[string]any{"value": "content"})
	return errors.Join(err, back)
}

// Focus gives the keyboard back to the page, after it went past its end to the browser. Others than Firefox do so by themselves.
func (b *Browser) Focus() error {
	if b.Name != "firefox" {
		return nil
	}
	return b.chrome("gBrowser.selectedBrowser.focus()")
}
