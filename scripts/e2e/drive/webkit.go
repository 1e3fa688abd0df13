package drive

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// miniBrowser finds WebKitGTK's test browser, which is not on the path.
func miniBrowser() (string, error) {
	list, err := filepath.Glob("/usr/lib*/*/webkit2gtk-4.1/MiniBrowser")
	if err != nil || len(list) == 0 {
		return "", errors.New("no MiniBrowser of webkit2gtk-4.1")
	}
	return list[0], nil
}

// starting is held while one starts: of two that start at once, one may never answer.
var starting sync.Mutex

// startWebKit starts MiniBrowser on a private screen. Under automation it keeps
// its storage in memory: nothing outlives it.
func (b *Browser) startWebKit(o Options) error {
	starting.Lock()
	defer starting.Unlock()
	bin, err := miniBrowser()
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	display, err := b.startScreen()
	if err != nil {
		return err
	}
	// Neither WEBKIT_DISABLE_COMPOSITING_MODE nor WEBKIT_DISABLE_DMABUF_RENDERER:
	// with either one the driver never answers a request for a picture.
	env := append([]string{
		"DISPLAY=" + display,
		"LANG=en_US.UTF-8", "LANGUAGE=en_US", // without one, navigator.language is "C", which Intl refuses
		"XDG_DATA_HOME=" + filepath.Join(b.Profile, "data"),
		"XDG_CACHE_HOME=" + filepath.Join(b.Profile, "cache"),
		"XDG_CONFIG_HOME=" + filepath.Join(b.Profile, "config"),
		"LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1", "GTK_A11Y=none", "GDK_BACKEND=x11",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", // no session bus, and none launched
	}, o.Env...)
	if err := b.group.start(b.out, nil, env, "WebKitWebDriver", "--port="+port); err != nil {
		return err
	}
	return b.open(port, map[string]any{
		"webkitgtk:browserOptions": map[string]any{
			"binary": bin,
			"args":   append([]string{"--automation"}, o.Args...),
		},
		"proxy": map[string]any{"proxyType": "manual", "httpProxy": b.proxy.addr, "sslProxy": b.proxy.addr, "noProxy": []string{"127.0.0.1", "localhost"}},
	})
}

// still scrolls an element into view and waits until it stays in its place, for some seconds at most:
// WebKitGTK's driver clicks where the element was when it looked.
func (b *Browser) still(css string) error {
	return b.Eval(nil, `const e = document.querySelector(args[0]);
e.scrollIntoView({block: 'nearest', behavior: 'instant'});
const place = () => { const {x, y} = e.getBoundingClientRect(); return x + ' ' + y; };
for (let i = 0, was = ''; i < 50 && was !== place(); i++) {
	was = place();
	await new Promise(f => setTimeout(f, 100));
}`, css)
}

// startScreen starts an X server without a screen and returns its display.
func (b *Browser) startScreen() (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	err = b.group.start(b.out, []*os.File{w}, nil, "Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	w.Close()
	if err != nil {
		return "", err
	}
	s, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("Xvfb gave no display: %w", err)
	}
	return ":" + strings.TrimSpace(s), nil
}
