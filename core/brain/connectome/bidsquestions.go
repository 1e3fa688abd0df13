package connectome

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/sorting"
)

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
	values = slices.Sorted(maps.Keys(of))
	sorting.Stable(values, natural)
	for _, v := range values {
		if most == "" && of[most] == nil || len(of[v]) > len(of[most]) {
			most = v
		}
	}
	return values, most
}

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
		b.dropData(fmt.Sprintf("of another %s than %s", v.name, taken), func(f *recordedFile) bool {
			// Regions of two atlases do not go together; of the rest a recording has what it has.
			return value(f) != taken && (v.name == "atlas" || has[[2]string{f.key(recordedKeys...), taken}])
		})
	}
	return nil
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
	b.dropData("a second form of a recording", func(f *recordedFile) bool {
		return best[f.key(recordedKeys...)] != form(f)
	})
}

// groupColumns are columns of participants.tsv that are likely to divide subjects into groups.
var groupColumns = []string{"group", "diagnosis", "dx", "condition", "patient", "cohort", "arm", "treatment"}

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
	runs := b.several([]string{"run"}, []string{"sub", "ses", "task"})
	if len(values) == 0 && !runs {
		return "task", nil
	}
	if len(values) == 0 {
		values = append(values, "task")
	}
	usual := values[0]
	if runs {
		values = append(values, "run")
	}
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
	b.dropData("of another task than "+task, func(f *recordedFile) bool { return f.entities["task"] != task })
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
			b.keep("session", sessions, "ses", nil)
		}
	}
	keys, of := []string{"dir", "run"}, []string{"sub", "ses", "task"}
	if condition == "run" {
		keys, of = keys[:1], append(of, "run")
	}
	if b.several(keys, of) {
		values, _ := b.counted(func(f *recordedFile) string { return cmp.Or(f.entities["run"], unnamed) })
		single := b.withoutRuns()
		if !slices.ContainsFunc(b.data(), func(f *recordedFile) bool { return f.entities["run"] == "" && !single[f.key("sub", "ses", "task")] }) {
			values = slices.DeleteFunc(values, func(v string) bool { return v == unnamed })
		}
		if runs, err = b.ask("runs", "join", append([]string{"join", "apart"}, values...), ""); err != nil {
			return nil, err
		}
		if runs != "join" && runs != "apart" {
			b.keep("run", runs, "run", single)
		}
	}
	return func(f *recordedFile) string {
		var parts []string
		if v := f.entities["ses"]; sessions == "apart" && v != "" {
			parts = append(parts, "session "+v)
		}
		if runs == "apart" {
			for _, k := range keys {
				if v := f.entities[k]; v != "" {
					parts = append(parts, k+" "+v)
				}
			}
		}
		return strings.Join(parts, ", ")
	}, nil
}

// withoutRuns are the subjects' sessions and tasks whose recordings do not name a run: they have one, which every choice of a run
// leaves.
func (b *bidsFolder) withoutRuns() map[string]bool {
	single := map[string]bool{}
	for _, f := range b.data() {
		key := f.key("sub", "ses", "task")
		if _, again := single[key]; !again {
			single[key] = true
		}
		single[key] = single[key] && f.entities["run"] == ""
	}
	return single
}

// keep leaves the data whose entity has a value, and those of single ones.
func (b *bidsFolder) keep(what, value, key string, single map[string]bool) {
	b.dropData(fmt.Sprintf("of another %s than %s", what, value), func(f *recordedFile) bool {
		return cmp.Or(f.entities[key], unnamed) != value && !single[f.key("sub", "ses", "task")]
	})
}
