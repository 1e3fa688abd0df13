package drive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// miniBrowser finds WebKitGTK's test browser, which is not on the path.
func miniBrowser() (string, error) {
	list, err := filepath.Glob("/usr/lib*/*/webkit2gtk-4.1/MiniBrowser")
	if err != nil || len(list) == 0 {
		return "", errors.New("no MiniBrowser of webkit2gtk-4.1")
	}
	return list[0], nil
}

// startWebKit starts MiniBrowser. On a busy machine its driver sometimes waits for it for good:
// then both are started anew.
func (b *Browser) startWebKit(o Options) error {
	bin, err := miniBrowser()
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		if err = b.tryWebKit(o, bin); !os.IsTimeout(err) || try == 5 {
			return err
		}
		b.group.kill()
		if b.group, err = newGroup(); err != nil {
			return err
		}
	}
}

// tryWebKit starts MiniBrowser on a private screen. Under automation it keeps
// its storage in memory: nothing outlives it.
func (b *Browser) tryWebKit(o Options, bin string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	display, err := b.startScreen()
	if err != nil {
		return err
	}
	// Where downloads go. It is read once, at the start.
	config := filepath.Join(b.Profile, "config")
	if err := os.MkdirAll(config, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(config, "user-dirs.dirs"), fmt.Appendf(nil, "XDG_DOWNLOAD_DIR=%q\n", b.Downloads()), 0o644); err != nil {
		return err
	}
	env := append([]string{
		"WEBKIT_DISABLE_COMPOSITING_MODE=1", // without a graphics card a page costs as much to compose as all that its scripts do
		"DISPLAY=" + display,
		"LANG=en_US.UTF-8", "LANGUAGE=en_US", // without one, navigator.language is "C", which Intl refuses
		"XDG_DATA_HOME=" + filepath.Join(b.Profile, "data"),
		"XDG_CACHE_HOME=" + filepath.Join(b.Profile, "cache"),
		"XDG_CONFIG_HOME=" + config,
		"LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1", "GTK_A11Y=none", "GDK_BACKEND=x11",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", // no session bus, and none launched
	}, o.Env...)
	if err := b.group.start(b.out, nil, env, "WebKitWebDriver", "--port="+port); err != nil {
		return err
	}
	return b.open(port, 20*time.Second, map[string]any{
		"webkitgtk:browserOptions": map[string]any{
			"binary": bin,
			"args":   append([]string{"--automation"}, o.Args...),
		},
		"proxy": map[string]any{"proxyType": "manual", "httpProxy": b.proxy.addr, "sslProxy": b.proxy.addr,
			"noProxy": []string{"127.0.0.1", "127.0.0.2", "localhost"}}, // the others leave out all of the loopback by themselves
	})
}

// clickWebKit clicks an element once it stays in its place, and again if what grew meanwhile has pushed it
// away: WebKitGTK's driver clicks where the element was when it looked.
func (b *Browser) clickWebKit(css, id string) error {
	for range 5 {
		err := b.Eval(nil, `const e = document.querySelector(args[0]), place = () => { const {x, y} = e.getBoundingClientRect(); return x + ' ' + y; };
e.scrollIntoView({block: 'nearest', behavior: 'instant'});
for (let i = 0, was = ''; i < 50 && was !== place(); i++) {
	was = place();
	await new Promise(f => setTimeout(f, 100));
}
window.clickHit = null;
addEventListener('mousedown', event => { window.clickHit = event.composedPath().includes(e); }, {capture: true, once: true});`, css)
		if err == nil {
			_, err = b.call("WebDriver:ElementClick", map[string]any{"id": id})
		}
		hit := true
		if err == nil {
			// a busy page hears of it late; one that came by the click knows of none
			err = b.Eval(&hit, "for (let i = 0; i < 40 && window.clickHit === null; i++) await new Promise(f => setTimeout(f, 50));\n"+
				"return window.clickHit ?? window.clickHit === undefined")
		}
		if hit || err != nil {
			return err
		}
	}
	return errors.New("the click on " + css + " did not meet it")
}

// startScreen starts an X server whose screen is a file, and returns its display.
func (b *Browser) startScreen() (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	err = b.group.start(b.out, []*os.File{w}, nil, "Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-fbdir", b.Profile, "-nolisten", "tcp")
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

// screen is the picture of the X server: the whole window, with its bars. If the browser does not
// compose pages, its driver never answers a request for a picture.
func (b *Browser) screen() (image.Image, error) {
	dump, err := os.ReadFile(filepath.Join(b.Profile, "Xvfb_screen0"))
	if err != nil {
		return nil, err
	}
	// A header in the format of xwd. Field 0 is its length, 4 and 5 the size of the picture, 7 the order of bytes, 11 the bits of
	// a pixel, 12 the bytes of a line, and 19 how many colours of 12 bytes come before the picture.
	const fields = 25 // of four bytes
	if len(dump) < 4*fields {
		return nil, errors.New("Xvfb has not begun its screen")
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(dump[4*i:])) }
	width, height, line := field(4), field(5), field(12)
	if field(7) != 0 || field(11) != 32 || len(dump) < field(0)+12*field(19)+height*line {
		return nil, fmt.Errorf("Xvfb has a screen of %d by %d pixels of %d bits in %d bytes, expected 32 bits, the lowest byte first",
			width, height, field(11), len(dump))
	}
	rows := dump[field(0)+12*field(19):] // after the colours of its map
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			blue := rows[y*line+4*x:]
			copy(img.Pix[img.PixOffset(x, y):], []byte{blue[2], blue[1], blue[0], 0xff})
		}
	}
	return img, nil
}
