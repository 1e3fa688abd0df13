package e2e

import (
	"strings"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// patience is how long a visit waits for what the page has to do. It bounds a
// test that would otherwise hang and measures nothing.
const patience = 4 * time.Minute

// A Visit is the page of a site in a browser. Its methods end the test when the
// page does not do what they ask for.
type Visit struct {
	*drive.Browser
	Site *Site

	t *testing.T
}

// State is the page's report on itself; see www/README.md.
type State struct {
	Phase   string
	Scoring bool
	Run     string
	Step    int
	Steps   int
	Epoch   int
	Epochs  int
	Hash    string
	Rank    int
	Pending int
	Ready   bool
	Saved   int
	Owner   bool
	Scores  int
}

// Open starts a browser with the page of s, at a link that may be "".
func Open(t *testing.T, engine string, s *Site, o drive.Options, link string) *Visit {
	t.Helper()
	v := &Visit{Browser: Start(t, engine, o), Site: s, t: t}
	v.Load(link)
	return v
}

// Afresh opens a link on a site of its own, where nobody has been, in the browser of the visit.
func (v *Visit) Afresh(link string) {
	v.t.Helper()
	v.Site = NewSite(v.t)
	v.must(v.Navigate("about:blank"))
	v.Load(link)
}

// OpenReady opens the page of a site of its own at a link and waits until its run can begin.
func OpenReady(t *testing.T, engine, link string) *Visit {
	t.Helper()
	v := Open(t, engine, NewSite(t), drive.Options{}, link)
	v.Until("lab.untouched")
	return v
}

// Reopen kills the browser and opens the page at a link in another one on its profile. WebKit is driven with its storage
// in memory, so only the page is closed.
func (v *Visit) Reopen(link string) *Visit {
	v.t.Helper()
	if v.Name == "webkit" {
		v.must(v.Navigate("about:blank")) // as a link to another place in the page would not leave it
		v.Load(link)
		return v
	}
	v.Kill()
	return Open(v.t, v.Name, v.Site, drive.Options{Profile: v.Profile}, link)
}

// lab is the address of the Lab as it comes: without a query the page opens the essay. A fragment would not load the page anew.
const lab = "?lab"

// Load opens the Lab at a link and waits until it can be operated.
func (v *Visit) Load(link string) {
	v.t.Helper()
	if link == "" {
		link = lab
	}
	v.must(v.Navigate(v.Site.URL + link))
	v.Until("page.ready")
}

func (v *Visit) must(err error) {
	v.t.Helper()
	if err != nil {
		excuse(v.t, v.Browser)
		v.t.Fatalf("%v\n%s", err, v.scene())
	}
}

// scene says what a person would see, for a test that fails.
func (v *Visit) scene() string {
	var text string
	if err := v.Ask(&text, "page.scene"); err != nil {
		said := v.Output() // of a browser that has ended, perhaps why
		return err.Error() + "\n" + said[max(0, len(said)-2000):]
	}
	return text
}

// Until waits for a condition of page objects to become true, as in v.Until("lab.pausedAt && lab.kept", 5).
func (v *Visit) Until(condition string, arg ...any) {
	v.t.Helper()
	v.must(v.Await(patience, condition, arg...))
}

// Read calls a method of a page object, whose answer it puts into a value, unless nil.
func (v *Visit) Read(into any, name string, arg ...any) {
	v.t.Helper()
	v.must(v.Ask(into, name, arg...))
}

// Text returns the text of an element.
func (v *Visit) Text(css string) string {
	v.t.Helper()
	var s string
	v.Read(&s, "see.text", css)
	return s
}

// Count returns how many elements a selector matches.
func (v *Visit) Count(css string) int {
	v.t.Helper()
	var n int
	v.Read(&n, "see.howMany", css)
	return n
}

// Reveal goes to where an element stands, as a link in the page does.
func (v *Visit) Reveal(css string) {
	v.t.Helper()
	v.Until("see.there", css)
	v.Read(nil, "hand.reveal", css)
}

// Push goes to where an element stands, and clicks it as soon as it can be clicked.
func (v *Visit) Push(css string) {
	v.t.Helper()
	v.Until("see.enabled", css)
	const most = 5 // what a press before has the page show may come between the two
	for tries := 1; ; tries++ {
		v.Reveal(css)
		if err := v.Click(css); err == nil || tries == most || !strings.Contains(err.Error(), "not interactable") {
			v.must(err)
			return
		}
	}
}

// places lists the places of the page.
var places = []string{"learn", "lab", "data", "experiments", "runs"}

// Go goes to a place of the page.
func (v *Visit) Go(place string) {
	v.t.Helper()
	v.Read(nil, "page.go", place)
}

// Give gives files to a file input.
func (v *Visit) Give(css string, path ...string) {
	v.t.Helper()
	v.must(v.Upload(css, path...))
}

// Enter puts a text into a field of the form, as a person who types it and goes on.
func (v *Visit) Enter(css, text string) {
	v.t.Helper()
	v.Read(nil, "hand.type", css, text)
}

// Positions of the slider of the pace.
const (
	slowest    = 0 // half an outer epoch a second
	tenASecond = 4
	fullSpeed  = 6
)

// Pace moves the slider of the pace.
func (v *Visit) Pace(position int) {
	v.t.Helper()
	v.Read(nil, "lab.pace", position)
}

// State returns the page's report on itself.
func (v *Visit) State() State {
	v.t.Helper()
	var s State
	v.Read(&s, "lab.state")
	return s
}

// Finish presses Train and waits for the end of the run, its scores and its
// last acknowledged write.
func (v *Visit) Finish() State {
	v.t.Helper()
	v.Push("#play")
	v.Until("lab.finished && lab.kept")
	return v.State()
}

// Want fails the test unless what an element shows contains every one of some texts.
func (v *Visit) Want(css string, texts ...string) {
	v.t.Helper()
	shown := v.Text(css)
	for _, w := range texts {
		if !strings.Contains(shown, w) {
			v.t.Errorf("%s shows %q, which does not say %q", css, shown, w)
		}
	}
}

// wantPicked wants texts in what is said of the selection, or of what is pointed at in its place.
func (v *Visit) wantPicked(texts ...string) {
	v.t.Helper()
	var said string
	v.Read(&said, "node.said")
	for _, w := range texts {
		if !strings.Contains(said, w) {
			v.t.Errorf("of the selection the page says %q, which does not say %q", said, w)
		}
	}
}

// Check fails the test if anything went wrong in the browser so far.
func (v *Visit) Check() {
	v.t.Helper()
	Check(v.t, v.Browser)
}
