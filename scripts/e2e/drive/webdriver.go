package drive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// An Error is a driver's answer to a command that failed; Name is the error
// code of the WebDriver standard, such as "no such element".
type Error struct {
	Name    string `json:"error"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	first, _, _ := strings.Cut(e.Message, "\n")
	return e.Name + ": " + first
}

// webdriver is a session with a driver that speaks W3C WebDriver.
type webdriver struct {
	base, session string
	client        *http.Client
}

// commands maps Marionette's names, which this package uses for all engines,
// to methods and paths of the standard and of chromedriver.
var commands = map[string][2]string{
	"WebDriver:Navigate":           {"POST", "/url"},
	"WebDriver:Refresh":            {"POST", "/refresh"},
	"WebDriver:ExecuteAsyncScript": {"POST", "/execute/async"},
	"WebDriver:TakeScreenshot":     {"GET", "/screenshot"},
	"WebDriver:SetTimeouts":        {"POST", "/timeouts"},
	"WebDriver:SetWindowRect":      {"POST", "/window/rect"},
	"WebDriver:FindElement":        {"POST", "/element"},
	"WebDriver:NewWindow":          {"POST", "/window/new"},
	"WebDriver:SwitchToWindow":     {"POST", "/window"},
	"WebDriver:GetWindowHandle":    {"GET", "/window"},
	"WebDriver:GetWindowHandles":   {"GET", "/window/handles"},
	"WebDriver:CloseWindow":        {"DELETE", "/window"},
	"WebDriver:ElementClick":       {"POST", "/element/{id}/click"},
	"WebDriver:ElementSendKeys":    {"POST", "/element/{id}/value"},
	"WebDriver:PerformActions":     {"POST", "/actions"},
	"WebDriver:ReleaseActions":     {"DELETE", "/actions"},
	"Chromium:Log":                 {"POST", "/se/log"},
	"Chromium:CDP":                 {"POST", "/goog/cdp/execute"},
}

func (w *webdriver) call(op string, p map[string]any) (json.RawMessage, error) {
	c, ok := commands[op]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnsupported, op)
	}
	path := c[1]
	if id, ok := p["id"].(string); ok {
		path = strings.Replace(path, "{id}", id, 1)
	}
	return w.do(c[0], "/session/"+w.session+path, p)
}

func (w *webdriver) do(method, path string, body any) (json.RawMessage, error) {
	var content io.Reader
	if method == "POST" {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		if string(b) == "null" {
			b = []byte("{}")
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, w.base+path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var v struct{ Value json.RawMessage }
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("%s %s: %s: %q", method, path, resp.Status, b)
	}
	if resp.StatusCode != http.StatusOK {
		e := new(Error)
		if err := json.Unmarshal(v.Value, e); err != nil {
			return nil, fmt.Errorf("%s %s: %s: %q", method, path, resp.Status, b)
		}
		return nil, e
	}
	return v.Value, nil
}

// open waits for the driver at port and asks it for a browser, which it has to bring within a limit.
func (b *Browser) open(port string, limit time.Duration, capabilities map[string]any) error {
	w := &webdriver{base: "http://127.0.0.1:" + port, client: &http.Client{Timeout: limit}}
	for i := 0; ; i++ {
		_, err := w.do("GET", "/status", nil)
		if err == nil {
			break
		}
		if i == 200 {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	v, err := w.do("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": capabilities}})
	if err != nil {
		return err
	}
	var s struct{ SessionID string }
	if err := json.Unmarshal(v, &s); err != nil {
		return err
	}
	w.session, w.client.Timeout = s.SessionID, callLimit
	b.call = w.call
	b.quit = func() { _, _ = w.do("DELETE", "/session/"+w.session, nil) } // Kill follows
	return nil
}

// freePort returns a port that was free a moment ago.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
