package connectome

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats"
	"cadem/core/json"
	"cadem/core/multiplex"
)

// A bidsFolder holds facts about recordings from names of files and the texts beside them.
type bidsFolder struct {
	files        []recordedFile
	heads        map[string]formats.File
	of           map[string][]int // places of the files of a subject
	sidecars     map[string][]sidecar
	participants *formats.Table
	people       map[string]formats.Row
	choose       map[string]string
	asked        []Question
	said         []string
	unused       []Unused
	used         map[string]bool // that are read for facts about others
}

// A sidecar is a JSON file that says how long a frame takes.
type sidecar struct {
	recording
	name string
	tr   float64
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
		}
		return s != ""
	})
}

// data are the files of series, or of connectivity.
func (b *bidsFolder) data() (list []*recordedFile) {
	for k := range b.files {
		if f := &b.files[k]; f.role == seriesRole || f.role == matrixRole {
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

// ask settles a question with several answers; the usual one is taken unless another one is chosen.
func (b *bidsFolder) ask(name, usual string, values []string, sentence string) (string, error) {
	taken := usual
	if v, ok := b.choose[name]; ok {
		if !slices.Contains(values, v) {
			return "", diag.Option(name, strconv.Quote(v), "one of "+strings.Join(values, ", "))
		}
		taken = v
	}
	if len(values) < 2 {
		return taken, nil
	}
	said := fmt.Sprintf("%s: %s%s", name, taken, sentence)
	var others []string
	for _, v := range values {
		if v != taken {
			others = append(others, v)
		}
	}
	if len(others) > 0 {
		said += "; " + name + "=" + strings.Join(others[:min(len(others), 8)], " or ") + " would choose otherwise"
	}
	b.asked = append(b.asked, Question{name, values, taken, said + "."})
	return taken, nil
}

// counted returns the different values of the data's files, sorted, and the one that most recordings have.
func (b *bidsFolder) counted(value func(*recordedFile) string) (values []string, most string) {
	of := map[string]map[string]bool{}
	for _, f := range b.data() {
		v := value(f)
		if of[v] == nil {
			of[v] = map[string]bool{}
		}
		of[v][f.key(recordedKeys...)] = true
	}
	values = slices.SortedFunc(maps.Keys(of), natural)
	for _, v := range values {
		if most == "" && of[most] == nil || len(of[v]) > len(of[most]) {
			most = v
		}
	}
	return values, most
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

// settleVariants leaves one of several atlases, spaces and the like, where a recording has several.
func (b *bidsFolder) settleVariants() error {
	for _, v := range variants {
		value := func(f *recordedFile) string { return cmp.Or(f.of(v.keys...), unnamed) }
		values, most := b.counted(value)
		of, has, several := map[string]string{}, map[[2]string]bool{}, false
		for _, f := range b.data() {
			key, own := f.key(recordedKeys...), value(f)
			first, again := of[key]
			several = several || again && first != own
			of[key], has[[2]string{key, own}] = own, true
		}
		if !several {
			continue
		}
		taken, err := b.ask(v.name, most, values, "")
		if err != nil {
			return err
		}
		b.dropFiles(func(f *recordedFile) string {
			// Regions of two atlases do not go together; of the rest a recording has what it has.
			own, there := value(f), v.name == "atlas" || has[[2]string{f.key(recordedKeys...), taken}]
			if own != taken && there && (f.role == seriesRole || f.role == matrixRole) {
				return fmt.Sprintf("of another %s than %s", v.name, taken)
			}
			return ""
		})
	}
	return nil
}

// bidsScans makes scans of files whose names say whose recordings they are, with the questions that they leave open. None of
// them may be such; then it returns nil.
func bidsScans(files []formats.File, choose map[string]string) (*Found, error) {
	b := &bidsFolder{heads: map[string]formats.File{}, of: map[string][]int{}, sidecars: map[string][]sidecar{}, choose: choose, used: map[string]bool{}}
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
		tasks = tasks || r.entities["task"] != "" && (is == seriesRole || is == matrixRole)
	}
	b.dropFiles(func(f *recordedFile) string {
		data := f.role == seriesRole || f.role == matrixRole
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
	slices.SortStableFunc(b.files, func(x, y recordedFile) int {
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

// readSidecar keeps the time between frames of a JSON file.
func (b *bidsFolder) readSidecar(f formats.File) {
	var says struct {
		RepetitionTime    float64
		SamplingFrequency float64
	}
	if json.Unmarshal(f.Data, &says) != nil {
		return
	}
	tr := says.RepetitionTime
	if tr == 0 && says.SamplingFrequency > 0 {
		tr = 1 / says.SamplingFrequency
	}
	const slowest = 100 // seconds
	if !(tr > 0 && tr <= slowest) {
		return
	}
	name := clean(f.Name)
	r := recordingOf(name)
	if r.entities == nil { // of all subjects
		r = recordingOf("sub-all_" + path.Base(name))
		delete(r.entities, "sub")
	}
	b.sidecars[path.Dir(name)] = append(b.sidecars[path.Dir(name)], sidecar{r, f.Name, tr})
}

// cohort settles all questions and makes the scans.
func (b *bidsFolder) cohort() (*Found, error) {
	if err := b.settleData(); err != nil {
		return nil, err
	}
	if err := b.settleVariants(); err != nil {
		return nil, err
	}
	b.settleForms()
	condition, err := b.settleCondition()
	if err != nil {
		return nil, err
	}
	scans, err := b.scans(condition)
	if err != nil {
		return nil, err
	}
	found := &Found{Scans: scans, Questions: b.asked, Said: b.said, Unused: b.unused}
	found.read = b.used
	return found, nil
}

// settleData chooses between series and ready connectivity.
func (b *bidsFolder) settleData() error {
	names := map[role]string{seriesRole: "series", matrixRole: "connectivity"}
	values, _ := b.counted(func(f *recordedFile) string { return names[f.role] })
	if len(values) < 2 {
		return nil
	}
	taken, err := b.ask("data", "series", []string{"series", "connectivity"}, "")
	if err != nil {
		return err
	}
	b.dropFiles(func(f *recordedFile) string {
		if name := names[f.role]; name != "" && name != taken {
			return name + " beside " + taken
		}
		return ""
	})
	return nil
}

// settleForms takes one of several files that hold the same in other forms.
func (b *bidsFolder) settleForms() {
	form := func(f *recordedFile) int {
		_, ending, _ := strings.Cut(path.Base(clean(f.name)), ".")
		return slices.Index(endings, strings.ToLower(ending))
	}
	best := map[string]int{}
	for _, f := range b.data() {
		key := f.key(recordedKeys...)
		if k, ok := best[key]; !ok || form(f) < k {
			best[key] = form(f)
		}
	}
	b.dropFiles(func(f *recordedFile) string {
		if (f.role == seriesRole || f.role == matrixRole) && best[f.key(recordedKeys...)] != form(f) {
			return "a second form of a recording"
		}
		return ""
	})
}

// groupColumns are columns of participants.tsv that are likely to divide subjects into groups.
var groupColumns = []string{"group", "diagnosis", "dx", "condition", "patient", "cohort", "arm", "treatment"}

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

// classColumns are the columns of participants.tsv that put at least two subjects in each of a few classes.
func (b *bidsFolder) classColumns() (list []string) {
	if b.participants == nil {
		return nil
	}
	const most = 10 // classes
	who := column(b.participants.Header, subjectColumns...)
	for k, name := range b.participants.Header {
		counts := map[string]int{}
		seen := map[string]bool{}
		for _, f := range b.data() {
			if s := f.entities["sub"]; k != who && name != "" && !seen[s] {
				seen[s] = true
				if v := b.fact(s, name); v != "" {
					counts[v]++
				}
			}
		}
		few := len(counts) >= 2 && len(counts) <= most
		for _, n := range counts {
			few = few && n >= 2
		}
		if few {
			list = append(list, name)
		}
	}
	return list
}

// settleCondition finds the conditions of scans: the task, the session or a column of participants.tsv.
func (b *bidsFolder) settleCondition() (string, error) {
	tasks, mostTask := b.counted(func(f *recordedFile) string { return f.entities["task"] })
	var values []string
	if len(tasks) > 1 {
		values = append(values, "task")
	}
	if b.several([]string{"ses"}, []string{"sub", "task"}) {
		values = append(values, "session")
	}
	columns := b.classColumns()
	values = append(values, columns...)
	if len(tasks) == 1 && len(values) > 0 && tasks[0] != "" {
		values = append(values, "task")
	}
	if len(values) == 0 {
		return "task", nil
	}
	usual := values[0]
	if len(tasks) < 2 {
		for _, name := range groupColumns {
			if k := column(columns, name); k >= 0 {
				usual = columns[k]
				break
			}
		}
		if usual == "session" && len(columns) > 0 {
			usual = columns[0]
		}
	}
	taken, err := b.ask("condition", usual, values, "")
	if err != nil || taken == "task" || len(tasks) < 2 {
		return taken, err
	}
	if slices.Contains(tasks, "rest") {
		mostTask = "rest"
	}
	task, err := b.ask("task", mostTask, tasks, "")
	b.dropFiles(func(f *recordedFile) string {
		if f.entities["task"] != task && (f.role == seriesRole || f.role == matrixRole) {
			return "of another task than " + task
		}
		return ""
	})
	return taken, err
}

// several reports whether data that agree in some entities differ in other ones.
func (b *bidsFolder) several(keys, of []string) bool {
	seen := map[string]string{}
	for _, f := range b.data() {
		key, v := f.key(of...), f.key(keys...)
		if first, again := seen[key]; again && first != v {
			return true
		}
		seen[key] = v
	}
	return false
}

// settleParts decides which sessions and runs are taken, joined or kept apart. Parts gives for a file the scan of its subject in
// a condition that it belongs to.
func (b *bidsFolder) settleParts(condition string) (part func(*recordedFile) string, err error) {
	sessions, runs := "join", "join"
	if condition != "session" && b.several([]string{"ses"}, []string{"sub", "task"}) {
		values, most := b.counted(func(f *recordedFile) string { return cmp.Or(f.entities["ses"], unnamed) })
		if sessions, err = b.ask("sessions", most, append(values, "join", "apart"), ""); err != nil {
			return nil, err
		}
		if sessions != "join" && sessions != "apart" {
			b.keep("session", sessions, "ses")
		}
	}
	if b.several([]string{"dir", "run"}, []string{"sub", "ses", "task"}) {
		values, _ := b.counted(func(f *recordedFile) string { return cmp.Or(f.entities["run"], unnamed) })
		if runs, err = b.ask("runs", "join", append([]string{"join", "apart"}, values...), ""); err != nil {
			return nil, err
		}
		if runs != "join" && runs != "apart" {
			b.keep("run", runs, "run")
		}
	}
	return func(f *recordedFile) string {
		var parts []string
		if v := f.entities["ses"]; sessions == "apart" && v != "" {
			parts = append(parts, "session "+v)
		}
		if runs == "apart" {
			for _, k := range []string{"dir", "run"} {
				if v := f.entities[k]; v != "" {
					parts = append(parts, k+" "+v)
				}
			}
		}
		return strings.Join(parts, ", ")
	}, nil
}

// keep leaves the data whose entity has a value.
func (b *bidsFolder) keep(what, value, key string) {
	b.dropFiles(func(f *recordedFile) string {
		if (f.role == seriesRole || f.role == matrixRole) && cmp.Or(f.entities[key], unnamed) != value {
			return fmt.Sprintf("of another %s than %s", what, value)
		}
		return ""
	})
}

// isClean reports whether series were cleaned before, as those of XCP-D are: the motion beside them is not a confound.
func (b *bidsFolder) isClean(f *recordedFile) bool {
	if f.entities["stat"] != "" || strings.HasPrefix(f.entities["desc"], "denoised") {
		return true
	}
	return slices.ContainsFunc(b.of[f.entities["sub"]], func(k int) bool { return b.files[k].role == outliersRole && b.files[k].isOf(f.recording) })
}

// scans makes the scans of what is left.
func (b *bidsFolder) scans(condition string) (scans []Scan, err error) {
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
		s := Scan{Subject: subject, Condition: f.entities["task"], Part: part(f), Facts: b.facts(subject)}
		switch condition {
		case "task":
		case "session":
			s.Condition = cmp.Or(f.entities["ses"], unnamed)
		default:
			if s.Condition = b.fact(subject, condition); s.Condition == "" {
				b.dropped("of a subject without "+condition, f.name)
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
		s.File, s.Confounds, s.Motion, s.Outliers, s.TR, s.Modern = r.File, r.Confounds, r.Motion, r.Outliers, r.TR, r.Modern
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
func (b *bidsFolder) lacking(scans []Scan) {
	c := newCohort(scans)
	has := map[[2]string]bool{}
	within := false
	for _, s := range scans {
		has[[2]string{s.Subject, s.Condition}] = true
		within = within || s.Condition != scans[c.first(s.Subject)].Condition
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

// beside finds the files about a recording.
func (b *bidsFolder) beside(f *recordedFile) Run {
	r := Run{File: f.name}
	b.used[f.name] = true
	done := b.isClean(f)
	for _, k := range b.of[f.entities["sub"]] {
		o := &b.files[k]
		if o.role == seriesRole || o.role == matrixRole || o.role == sidecarRole || !o.isOf(f.recording) {
			continue
		}
		switch {
		case f.role == matrixRole:
		case o.role == outliersRole:
			r.Outliers = o.name
		case o.role == motionRole && done:
			r.Motion = o.name
		case o.role != outliersRole && !done:
			r.Confounds, r.Modern = o.name, true
		}
	}
	for _, name := range []string{r.Confounds, r.Motion, r.Outliers} {
		b.used[name] = true
	}
	r.TR = b.repetitionTime(f)
	return r
}

// repetitionTime returns the time between frames that JSON files say by the rules of inheritance: those in the folder of a file
// or above it whose name has none but its entities; the nearest, and of these the most special, says most. 0: none says it.
func (b *bidsFolder) repetitionTime(f *recordedFile) float64 {
	best, at := 0.0, -1
	for dir := path.Dir(clean(f.name)); ; dir = path.Dir(dir) {
		for _, c := range b.sidecars[dir] {
			fits := c.suffix == f.suffix || c.suffix == "bold" || c.suffix == "timeseries"
			for k, v := range c.entities {
				fits = fits && f.entities[k] == v
			}
			if rank := 2 * len(c.entities); fits && rank >= at {
				if c.suffix == f.suffix {
					rank++
				}
				best, at = c.tr, rank
				b.used[c.name] = true
			}
		}
		if at >= 0 || dir == path.Dir(dir) {
			return best
		}
	}
}
