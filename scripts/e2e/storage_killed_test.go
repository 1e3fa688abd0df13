package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// A fact is the page's acknowledgement of a saved run.
type fact struct {
	name string
	step int
	hash string // once it is finished
}

// A stock is the result of an audit.
type stock struct {
	Torn, Orphans []string
	Runs          map[string]struct {
		Name, State, Hash string
		Step              int
	}
}

// acts are the actions during which a round kills, as calls of page objects that begin them with the run and the round's number.
var acts = map[string]func(run string, n int) []any{
	"training":   func(string, int) []any { return []any{"lab.play"} },
	"checkpoint": func(string, int) []any { return []any{"lab.play"} },
	"import":     nil, // the driver gives the file
	"upgrade":    func(string, int) []any { return []any{"hand.click", "[data-notice=update] .actions button"} },
	"export":     func(string, int) []any { return []any{"hand.click", "#export-run"} },
	"rename":     func(run string, n int) []any { return []any{"runs.rename", run, fmt.Sprint("Round ", n)} },
	"delete":     func(run string, _ int) []any { return []any{"runs.press", run, "delete"} },
}

// A killing is a series of rounds on one profile.
type killing struct {
	t       *testing.T
	engine  string
	s       *Site
	profile string
	rng     *rand.Rand
	file    string           // an exported run, to be imported
	export  string           // the run that it was exported from, whose name it takes again when that is deleted
	known   map[string]fact  // what was acknowledged and not deleted since
	gone    map[string]bool  // what was acknowledged to be deleted
	rows    map[string][]int // by act and kind of kill: rounds, facts checked, lost, torn, orphans, runs taken up, most steps trained again
}

// look notes what the page has acknowledged by now.
func (k *killing) look(v *Visit) (State, bool) {
	var now struct {
		State State
		Runs  map[string]string
	}
	err := v.Ask(&now, "runs.named")
	if err != nil {
		return State{}, false
	}
	st := now.State
	for run, name := range now.Runs {
		if run == st.Run && st.Saved == 0 {
			continue // it is listed with its first saved state
		}
		f := k.known[run]
		f.name = name
		if run == st.Run && st.Saved > f.step {
			f.step = st.Saved
			if st.Phase == "finished" && st.Pending == 0 && st.Saved == st.Step {
				f.hash = st.Hash
			}
		}
		k.known[run] = f
	}
	return st, true
}

// open opens the page on the profile and waits until interrupted work has ended.
func (k *killing) open(link string) *Visit {
	k.t.Helper()
	v := Open(k.t, k.engine, k.s, drive.Options{Profile: k.profile}, link)
	v.Until("storage.owned && !lab.busy && !lab.scoring && storage.settled")
	return v
}

// A round is one kill: the act, the processes, and the changes by the act, which may be either way afterwards.
type round struct {
	*killing
	n                 int
	act, kind, target string
	course            Course
	last              State // of the page, that was seen
	again             bool  // what it imports was deleted before
	row               []int
}

// begin starts the act and kills at a random moment, while it notes what is acknowledged.
func (r *round) begin() {
	r.t.Helper()
	link := ""
	if r.act == "training" || r.act == "checkpoint" {
		link = r.course.Link()
	}
	v := r.open(link)
	list := slices.Sorted(maps.Keys(r.known))
	r.target = list[r.rng.IntN(len(list))]
	switch r.act {
	case "export":
		v.Push(fmt.Sprintf("[data-run=%q] [data-act=open]", r.target))
		v.Until("lab.finished")
	case "checkpoint": // in the second in which the next one is due
		v.Pace(tenASecond)
	case "upgrade":
		v.Until("page.offline")
		r.s.Update(fmt.Sprintf("e2e%09x", r.n))
		v.Load("")
		v.Until("notices.there", "update")
	}
	wait := time.Duration(r.rng.IntN(900)) * time.Millisecond
	if r.act == "import" {
		r.again = r.gone[r.export]
		delete(r.gone, r.export)
		v.Give("#import-run", r.file)
	} else {
		call := acts[r.act](r.target, r.n)
		v.Read(nil, call[0].(string), call[1:]...)
	}
	if r.act == "checkpoint" {
		v.Until("storage.saved")
	}
	for end := time.Now().Add(wait); ; {
		if st, ok := r.look(v); ok {
			r.last = st
		}
		if time.Now().After(end) {
			break
		}
	}
	if r.act == "delete" && v.Count(fmt.Sprintf("#runs-list li[data-run=%q]", r.target)) == 0 {
		r.gone[r.target] = true
	}
	if r.kind == "content" {
		if v.KillContent() == 0 {
			r.t.Errorf("%s: no content process was found", r)
		}
		time.Sleep(time.Duration(r.rng.IntN(500)) * time.Millisecond) // the others go on writing
	}
	v.Kill()
}

func (r *round) String() string { return fmt.Sprintf("round %d, %s, %s", r.n, r.act, r.kind) }

// goesOn follows a run that was under way: from no earlier than what was acknowledged, to the bits of an undisturbed one.
func (r *round) goesOn(v *Visit) {
	r.t.Helper()
	_, rest, ok := strings.Cut(v.Text("[data-notice=interrupted]"), "at step ")
	if !ok {
		return
	}
	r.row[5]++
	from, err := strconv.Atoi(rest[:strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })])
	if f := r.known[r.last.Run]; err != nil || from < f.step {
		r.t.Errorf("%s: it goes on from step %d, step %d was acknowledged", r, from, f.step)
		r.row[2]++
	}
	r.row[6] = max(r.row[6], r.last.Step-from)
	v.Until("lab.finished && lab.kept")
	if st := v.State(); st.Run == r.last.Run {
		if want := r.course.Train(r.t).Hash; st.Hash != want {
			r.t.Errorf("%s: the run that went on ends with %s, natively %s", r, st.Hash, want)
			r.row[3]++
		}
	}
}

// compare compares the content of the database with the acknowledgements.
func (r *round) compare(found *stock) {
	r.t.Helper()
	if len(found.Torn)+len(found.Orphans) > 0 {
		r.t.Errorf("%s: torn %q, orphans %q", r, found.Torn, found.Orphans)
	}
	r.row[3] += len(found.Torn)
	r.row[4] += len(found.Orphans)
	for run := range r.gone {
		if _, ok := found.Runs[run]; ok {
			r.t.Errorf("%s: %s was deleted and is back", r, run)
			r.row[2]++
		}
		delete(r.known, run)
	}
	for run, f := range r.known {
		got, ok := found.Runs[run]
		switch {
		case !ok && r.act == "delete" && run == r.target:
			continue
		case !ok:
			r.t.Errorf("%s: %s (%s) is missing", r, run, f.name)
		case got.Step < f.step || f.hash != "" && got.Hash != f.hash:
			r.t.Errorf("%s: %s is at step %d with %q; step %d with %q was acknowledged", r, run, got.Step, got.Hash, f.step, f.hash)
		case got.Name != f.name && !(r.act == "rename" && run == r.target && got.Name == fmt.Sprint("Round ", r.n)):
			r.t.Errorf("%s: %s is called %q; %q was acknowledged", r, run, got.Name, f.name)
		default:
			r.row[1]++
			continue
		}
		r.row[2]++
	}
	r.killing.known = map[string]fact{}
	for run, now := range found.Runs {
		r.known[run] = fact{now.Name, now.Step, now.Hash}
	}
}

// reopen opens the run of the act and one of the others: they are unchanged.
func (r *round) reopen(v *Visit) {
	r.t.Helper()
	list := slices.Sorted(maps.Keys(r.known))
	for _, run := range []string{r.target, list[r.rng.IntN(len(list))]} {
		if f, ok := r.known[run]; ok {
			v.Push(fmt.Sprintf("[data-run=%q] [data-act=open]", run))
			v.Until("runs.current && !lab.busy && !lab.scoring", run)
			if st := v.State(); st.Step != f.step || f.hash != "" && st.Hash != f.hash {
				r.t.Errorf("%s: opened it is %+v, listed %+v", r, st, f)
			}
		}
	}
}

// run is the whole round.
func (r *round) run() {
	r.t.Helper()
	r.begin()
	v := r.open("")
	r.row[0]++
	r.goesOn(v)
	for _, bad := range []string{"missing", "recovered", "storage"} {
		text := v.Text(fmt.Sprintf("[data-notice=%s]", bad))
		if bad == "missing" && (len(r.gone) > 0 || r.again) && strings.Contains(text, "just deleted") {
			continue // Firefox may lose the last seconds of what is noted outside the database, and with them that a run was deleted
		}
		if text != "" {
			r.t.Errorf("%s: the page says %q", r, text)
		}
	}
	var found stock
	v.Read(&found, "checks.audit")
	r.compare(&found)
	r.reopen(v)
	for len(r.known) > 6 { // so that rounds take no longer and longer
		run := slices.Min(slices.Collect(maps.Keys(r.known)))
		v.Push(fmt.Sprintf("[data-run=%q] [data-act=delete]", run))
		v.Until("see.count", `#runs-list li[data-run="`+run+`"]`, 0)
		delete(r.known, run)
		r.gone[run] = true
	}
	v.Close()
}

// row returns the figures of an act and a kind of kill.
func (k *killing) row(name string) []int {
	if k.rows[name] == nil {
		k.rows[name] = make([]int, 7)
	}
	return k.rows[name]
}

// table sets what became of the rounds beside each other.
func (k *killing) table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "killed in\tprocesses\trounds\tfacts\tlost\ttorn\torphans\ttaken up\tmost steps again")
	total := make([]int, 7)
	line := func(name string, row []int) {
		fmt.Fprint(w, name)
		for _, n := range row {
			fmt.Fprintf(w, "\t%d", n)
		}
		fmt.Fprintln(w)
	}
	for _, name := range slices.Sorted(maps.Keys(k.rows)) {
		line(name, k.rows[name])
		for i, n := range k.rows[name][:6] {
			total[i] += n
		}
		total[6] = max(total[6], k.rows[name][6])
	}
	line("all\t", total)
	w.Flush()
	return b.String()
}

// TestKills kills the content process, or all processes of the browser, at random moments of training, checkpoints, imports, exports,
// renames, deletions and updates of the page, CADEM_KILL times on one profile. After each, everything that the page had acknowledged is there
// with its checksums and opens, nothing is left over, and a run that was under way goes on to the bits of an undisturbed one.
func TestKills(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("MiniBrowser keeps its storage in memory when driven")
		}
		if os.Getenv("CADEM_KILL") == "" {
			t.Skip("it takes minutes; make kill does it, and TestKill does it once")
		}
		rounds, err := strconv.Atoi(os.Getenv("CADEM_KILL"))
		if err != nil || rounds < 1 {
			t.Fatalf("CADEM_KILL=%s (expected how many rounds)", os.Getenv("CADEM_KILL"))
		}
		seed := uint64(1)
		if s := os.Getenv("CADEM_KILL_SEED"); s != "" {
			if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
				t.Fatalf("CADEM_KILL_SEED=%s (expected a whole number)", s)
			}
		}
		k := &killing{t: t, engine: engine, s: NewKeptSite(t), profile: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 0)),
			known: map[string]fact{}, gone: map[string]bool{}, rows: map[string][]int{}}
		defer func() { t.Logf("%s, seed %d\n%s", engine, seed, k.table()) }()

		v := k.open(Small.Link())
		k.export = v.Finish().Run
		v.Push("#export-run")
		k.file = filepath.Join(t.TempDir(), "run.zip")
		if err := os.WriteFile(k.file, download(t, v, "*-run.zip"), 0o644); err != nil {
			t.Fatal(err)
		}
		for n := 2; n <= 3; n++ { // so that there is always one to delete
			v.Give("#import-run", k.file)
			v.Until("runs.count && storage.settled", n)
		}
		k.look(v)
		v.Close()
		kinds := slices.Sorted(maps.Keys(acts))
		for n := range rounds {
			// Each act once for both ways to be killed, then anew in another order.
			if n%(2*len(kinds)) == 0 {
				k.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
			}
			r := &round{killing: k, n: n, act: kinds[n%len(kinds)], kind: []string{"content", "all"}[(n+n/len(kinds))%2],
				course: Small.With(nil, map[string]any{"epochs": 80, "early_stop": "off"})}
			r.course.ModelSeed = uint64(1000 + n)
			r.row = k.row(r.act + "\t" + r.kind)
			r.run()
			if t.Failed() {
				return
			}
		}
	})
}
