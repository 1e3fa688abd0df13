package connectome

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/multiplex"
)

// A bidsFolder holds facts about recordings from names of files and the texts beside them.
type bidsFolder struct {
	files        []recordedFile
	heads        map[string]formats.File
	of           map[string][]int     // places of the files of a subject
	sidecars     map[string][]sidecar // of a subject, "" for those of all
	participants *formats.Table
	people       map[string]formats.Row
	choose       map[string]string
	asked        []Question
	said         []string
	unused       []Unused
	why          map[string]string // of the recordings that are left out
	used         map[string]bool   // that are read for facts about others
}

// dropped notes that a file is not used.
func (b *bidsFolder) dropped(why, name string) {
	for k := range b.unused {
		if b.unused[k].Why == why {
			b.unused[k].Files = append(b.unused[k].Files, name)
			return
		}
	}
	b.unused = append(b.unused, Unused{why, []string{name}})
}

// dropFiles leaves out files, for a reason each.
func (b *bidsFolder) dropFiles(why func(f *recordedFile) string) {
	b.files = slices.DeleteFunc(b.files, func(f recordedFile) bool {
		s := why(&f)
		if s != "" {
			b.dropped(s, f.name)
			b.why[f.key(recordedKeys...)] = s
		}
		return s != ""
	})
}

// dropData leaves out series and connectivity, for one reason.
func (b *bidsFolder) dropData(why string, is func(f *recordedFile) bool) {
	b.dropFiles(func(f *recordedFile) string {
		if f.role.isData() && is(f) {
			return why
		}
		return ""
	})
}

// data are the files of series, or of connectivity.
func (b *bidsFolder) data() (list []*recordedFile) {
	for k := range b.files {
		if f := &b.files[k]; f.role.isData() {
			list = append(list, f)
		}
	}
	return list
}

// natural compares names with numbers in them as people sort them.
func natural(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if m, err := strconv.Atoi(x); err == nil {
		if n, err := strconv.Atoi(y); err == nil && m != n {
			return cmp.Compare(m, n)
		}
	}
	return cmp.Compare(a, b)
}

// recordedKeys tell recordings apart that a cohort may hold beside each other.
var recordedKeys = []string{"sub", "ses", "task", "dir", "run"}

// key joins some entities.
func (r recording) key(keys ...string) string {
	var parts []string
	for _, k := range keys {
		parts = append(parts, r.entities[k])
	}
	return strings.Join(parts, "\t")
}

const unnamed = "none" // how a value is called that a name does not have

// bidsScans makes scans of files whose names say whose recordings they are, with the questions that they leave open. None of
// them may be such; then it returns nil.
func bidsScans(files []formats.File, choose map[string]string) (*Found, error) {
	b := &bidsFolder{heads: map[string]formats.File{}, of: map[string][]int{}, sidecars: map[string][]sidecar{}, choose: choose,
		used: map[string]bool{}, why: map[string]string{}}
	tasks := false
	for _, f := range files {
		b.heads[clean(f.Name)] = f
		r := recordingOf(f.Name)
		if r.entities == nil {
			r = hcpRecording(f.Name)
		}
		if path.Base(clean(f.Name)) == "participants.tsv" && b.participants == nil {
			b.readPeople(f)
		}
		if strings.HasSuffix(f.Name, ".json") {
			b.readSidecar(f)
		}
		if r.entities == nil {
			continue
		}
		is, why := r.roleOf(f.Name)
		if is == unusedRole {
			b.dropped(why, f.Name)
			continue
		}
		b.files = append(b.files, recordedFile{r, f.Name, is})
		tasks = tasks || r.entities["task"] != "" && is.isData()
	}
	b.dropFiles(func(f *recordedFile) string {
		data := f.role.isData()
		switch {
		case data && tasks && f.entities["task"] == "":
			return "names without a task"
		case data && !tasks && !mayBeSeries(b.heads[clean(f.name)]) && !IsCIFTI(b.heads[clean(f.name)]):
			return "files of other kinds"
		}
		return ""
	})
	if len(b.data()) == 0 {
		return nil, nil
	}
	b.findMotion()
	sorting.Stable(b.files, func(x, y recordedFile) int {
		for _, k := range recordedKeys {
			if c := natural(x.entities[k], y.entities[k]); c != 0 {
				return c
			}
		}
		return 0
	})
	return b.cohort()
}

// readPeople reads participants.tsv.
func (b *bidsFolder) readPeople(f formats.File) {
	t, err := formats.ReadTable(f)
	if err != nil || column(t.Header, subjectColumns...) < 0 {
		return
	}
	b.participants, b.used[f.Name], b.people = t, true, map[string]formats.Row{}
	who := column(t.Header, subjectColumns...)
	for _, row := range t.Rows {
		if len(row.Fields) == len(t.Header) {
			b.people[strings.TrimPrefix(row.Fields[who], "sub-")] = row
		}
	}
}

// cohort settles all questions and makes the scans.
func (b *bidsFolder) cohort() (*Found, error) {
	var all []recording
	for _, f := range b.data() {
		all = append(all, f.recording)
	}
	if err := b.settleData(); err != nil {
		return nil, err
	}
	if err := b.settleVariants(); err != nil {
		return nil, err
	}
	b.settleForms()
	b.leaveOutWholes()
	condition, err := b.settleCondition()
	if err != nil {
		return nil, err
	}
	scans, err := b.scans(condition)
	if err != nil {
		return nil, err
	}
	found := &Found{Scans: scans, Questions: b.asked, Said: b.said, Unused: b.unused, Left: b.left(all)}
	found.read = b.used
	return found, nil
}

// left lists the recordings of which no file is used, those of a subject together that have one reason: the last, of what else would be used.
func (b *bidsFolder) left(all []recording) (list []collection.Left) {
	used := map[string]bool{}
	for _, f := range b.data() {
		key := f.key(recordedKeys...)
		used[key] = b.used[f.name] || used[key]
	}
	for _, r := range all {
		key, title := r.key(recordedKeys...), ""
		for _, k := range recordedKeys[1:] {
			if v := r.entities[k]; v != "" {
				title = strings.TrimSpace(title + " " + k + "-" + v)
			}
		}
		if used[key] {
			continue
		}
		used[key] = true // listed
		l := collection.Left{Subject: r.entities["sub"], Recordings: title, Why: b.why[key]}
		k := slices.IndexFunc(list, func(o collection.Left) bool {
			return o.Subject == l.Subject && o.Why == l.Why
		})
		if k < 0 {
			list = append(list, l)
		} else {
			list[k].Recordings += ", " + title
		}
	}
	stage := func(l collection.Left) int {
		return slices.IndexFunc(b.unused, func(u Unused) bool { return u.Why == l.Why })
	}
	sorting.Stable(list, func(x, y collection.Left) int {
		return cmp.Or(natural(x.Subject, y.Subject), cmp.Compare(stage(x), stage(y)))
	})
	return list
}

// fact returns the entry of a subject in participants.tsv; "" if there is none.
func (b *bidsFolder) fact(subject, name string) string {
	if row, ok := b.people[subject]; ok {
		if v := strings.TrimSpace(row.Fields[column(b.participants.Header, name)]); !multiplex.IsMissing(v) {
			return v
		}
	}
	return ""
}

// facts are all entries of a subject in participants.tsv.
func (b *bidsFolder) facts(subject string) map[string]string {
	if b.participants == nil {
		return nil
	}
	const most = 40 // columns
	who := column(b.participants.Header, subjectColumns...)
	var facts map[string]string
	for k, name := range b.participants.Header[:min(len(b.participants.Header), most)] {
		if v := b.fact(subject, name); k != who && name != "" && v != "" {
			if facts == nil {
				facts = map[string]string{}
			}
			facts[name] = v
		}
	}
	return facts
}

// scans makes the scans of what is left.
func (b *bidsFolder) scans(condition string) (scans []collection.Scan, err error) {
	part, err := b.settleParts(condition)
	if err != nil {
		return nil, err
	}
	for k, f := range b.files {
		b.of[f.entities["sub"]] = append(b.of[f.entities["sub"]], k)
	}
	at, seen := map[[3]string]int{}, map[string]bool{}
	timed := 0
	var unknown []string
	for _, f := range b.data() {
		subject := f.entities["sub"]
		s := collection.Scan{Subject: subject, Condition: f.entities["task"], Part: part(f), Facts: b.facts(subject)}
		switch condition {
		case "task":
		case "session":
			s.Condition = cmp.Or(f.entities["ses"], unnamed)
		case "run":
			s.Condition = "run " + cmp.Or(f.entities["run"], unnamed)
		default:
			if s.Condition = b.fact(subject, condition); s.Condition == "" {
				b.why[f.key(recordedKeys...)] = "of a subject without " + condition
				b.dropped(b.why[f.key(recordedKeys...)], f.name)
				if !slices.Contains(unknown, subject) {
					unknown = append(unknown, subject)
				}
				continue
			}
		}
		r := b.beside(f)
		if r.TR > 0 {
			timed++
		}
		key := [3]string{subject, s.Condition, s.Part}
		recorded := f.key(recordedKeys...)
		if k, again := at[key]; again && !seen[recorded] { // a second file of one recording, as of two folders, is refused later
			seen[recorded] = true
			scans[k].More = append(scans[k].More, r)
			continue
		}
		at[key], seen[recorded] = len(scans), true
		s.File, s.Confounds, s.Motion, s.Outliers = r.File, r.Confounds, r.Motion, r.Outliers
		s.TR, s.Modern, s.Untimed, s.Filtered = r.TR, r.Modern, r.Untimed, r.Filtered
		scans = append(scans, s)
	}
	if timed > 0 {
		b.said = append(b.said, fmt.Sprintf("Time between frames: of %s from the JSON files beside the series or above them.", figure.Count(timed, "recording")))
	}
	if len(unknown) > 0 {
		b.said = append(b.said, fmt.Sprintf("Left out, for participants.tsv does not say their %s: %s.", condition, strings.Join(unknown, ", ")))
	}
	b.lacking(scans)
	b.rest()
	return scans, nil
}

// lacking says which subjects are not there in a condition that others have, where conditions are within subjects.
func (b *bidsFolder) lacking(scans []collection.Scan) {
	c := collection.Of(scans)
	has := map[[2]string]bool{}
	within := false
	for _, s := range scans {
		has[[2]string{s.Subject, s.Condition}] = true
		within = within || s.Condition != scans[c.First(s.Subject)].Condition
	}
	for _, condition := range c.Conditions {
		var without []string
		for _, s := range c.Subjects {
			if !has[[2]string{s, condition}] {
				without = append(without, s)
			}
		}
		if within && len(without) > 0 {
			b.said = append(b.said, fmt.Sprintf("Without %s: %s; the rest of them is used.", condition, strings.Join(without, ", ")))
		}
	}
}

// rest gives reasons for what is left over.
func (b *bidsFolder) rest() {
	why := map[role]string{confoundsRole: "confounds without a series, or of one that was cleaned before", motionRole: "motion without a series",
		outliersRole: "outliers without a series", sidecarRole: "JSON files that say no time between frames of a series"}
	for _, f := range b.files {
		if s := why[f.role]; s != "" && !b.used[f.name] {
			b.dropped(s, f.name)
		}
	}
}
