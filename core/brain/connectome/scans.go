package connectome

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/multiplex"
)

// Found sorts files for a study of many scans.
type Found struct {
	Scans   []collection.Scan
	Shared  []string // tables of regions and labels, which belong to all scans
	Ignored []string // of no use
	// From names of recordings: questions left open, remarks, and reasons why other files are not used.
	Questions []Question
	Said      []string
	Unused    []Unused
	Left      []collection.Left // recordings of which no file is used

	read  map[string]bool   // files that were read and are not needed any more
	named map[string]string // the names of files before numbers took the place of ids, by the present ones
}

// Before returns the name that a file had before numbers took the place of ids.
func (f *Found) Before(name string) string { return cmp.Or(f.named[name], name) }

// number puts numbers in the place of the ids of subjects, in the names of their files, too. They are in the order of the scans, with zeros
// in front, so that nothing is sorted otherwise.
func (f *Found) number() {
	f.named = map[string]string{}
	subjects := collection.Of(f.Scans).Subjects
	digits := len(strconv.Itoa(len(subjects)))
	for k := range f.Scans {
		s, files := &f.Scans[k], 0
		id, number := "sub-"+s.Subject, fmt.Sprintf("%0*d", digits, slices.Index(subjects, s.Subject)+1)
		plain := func(text string) string { return strings.ReplaceAll(text, id, "sub-"+number) }
		rename := func(names ...*string) {
			for _, name := range names {
				now := plain(*name)
				if _, ending, _ := strings.Cut(path.Base(clean(now)), "."); now == *name && now != "" {
					files++
					now = fmt.Sprintf("%s-%d-%d.%s", number, k+1, files, ending)
				}
				f.named[now], *name = *name, now
			}
		}
		s.Subject, s.Untimed, s.Filtered = number, plain(s.Untimed), plain(s.Filtered)
		rename(&s.File, &s.Confounds, &s.Motion, &s.Outliers)
		for i := range s.More {
			r := &s.More[i]
			r.Untimed, r.Filtered = plain(r.Untimed), plain(r.Filtered)
			rename(&r.File, &r.Confounds, &r.Motion, &r.Outliers)
		}
	}
	for k := range f.Left {
		at := slices.Index(subjects, f.Left[k].Subject)
		if at < 0 {
			at, subjects = len(subjects), append(subjects, f.Left[k].Subject)
		}
		f.Left[k].Subject = fmt.Sprintf("%0*d", digits, at+1)
	}
}

// Files returns the names of all files that are used, each once.
func (f *Found) Files() []string {
	var names []string
	seen := map[string]bool{"": true}
	add := func(name string) {
		if !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	for k := range f.Scans {
		for _, name := range collection.Names(f.Scans[k].Runs()) {
			add(name)
		}
	}
	for _, name := range f.Shared {
		add(name)
	}
	return names
}

// FilesOf returns the files that a table of scans names. The error is a
// [*diag.Error].
func FilesOf(table formats.File) ([]string, error) {
	scans, err := readScans(table)
	return (&Found{Scans: scans}).Files(), err
}

// A choice that all scans leave: numbers in the place of the ids of subjects.
const ids, byNumber = "ids", "numbers"

// FindScans finds the scans among files; all but tables of scans may be cut to their first 64 kB. A table with the columns
// subject, condition and file names them, by path or by the last part of it; without one, BIDS names do. Without these,
// every series is a subject of its own, by the name of its file, in no condition. Choose answers the [Question]s that BIDS
// names leave open, by their names; nil leaves all to the usual answers.
//
// Graphs that are not brains' are found by a table with the columns graph, class, file and, if need be, group; or, if there
// are no series, by folders, one for each class. The error is a [*diag.Error].
func FindScans(files []formats.File, choose map[string]string) (*Found, error) {
	found := &Found{}
	var rest, lists []formats.File
	var scans []collection.Scan
	table, names := "", []string{}
	files = slices.Clone(files)
	for k := range files {
		f := &files[k]
		recorded := isRecorded(f.Name)
		if err := look(f, recorded); err != nil {
			return nil, err
		}
		text := !recorded && !IsCIFTI(*f) && !mayBeSeries(*f)
		switch {
		case text && IsCohortTable(*f):
			if table != "" {
				return nil, diag.At(f.Name, 0, "file", "a second table of scans beside "+table, "one")
			}
			var err error
			if scans, err = readScans(*f); err != nil {
				return nil, err
			}
			table = f.Name
		case !recorded && isLabels(*f) || text && listsRegions(*f):
			lists = append(lists, *f)
		default:
			rest, names = append(rest, *f), append(names, f.Name)
		}
	}
	if table != "" {
		place := places(names)
		for k := range scans {
			for _, name := range []*string{&scans[k].File, &scans[k].Confounds} {
				if *name == "" {
					continue
				}
				full, ok := place[clean(*name)]
				if !ok { // beside the table, in a folder that was opened as a whole
					full, ok = place[path.Join(path.Dir(clean(table)), clean(*name))]
				}
				if !ok {
					full, ok = place[path.Base(clean(*name))]
				}
				if !ok || full == "" {
					where := fmt.Sprintf("subject %q, condition %q", scans[k].Subject, scans[k].Condition)
					if scans[k].Graph != "" {
						where = fmt.Sprintf("graph %q", scans[k].Graph)
					}
					return nil, diag.At(table, 0, where, *name+", which is not among the files",
						"a file that is there, by its path or by a name that no other has")
				}
				*name = full
			}
		}
		found.Scans = scans
	} else if named, err := bidsScans(rest, choose); err != nil {
		return nil, err
	} else if named != nil {
		found = named
	} else {
		motion := motionAmong(rest)
		for _, f := range rest {
			if (IsCIFTI(f) || mayBeSeries(f)) && !slices.Contains(motion, f.Name) {
				found.Scans = append(found.Scans, collection.Scan{Subject: stem(f.Name), File: f.Name})
			}
		}
		found.pairMotion(motion)
		if len(found.Scans) == 0 {
			found.Scans = graphsOfFolders(names)
		}
	}
	found.share(lists)
	if choose[ids] != "" && choose[ids] != byNumber {
		return nil, diag.Option(ids, strconv.Quote(choose[ids]), byNumber+", which take their place")
	}
	for name := range choose {
		if name == ids && len(found.Scans) > 0 && found.Scans[0].Graph == "" {
			continue
		}
		if !slices.ContainsFunc(found.Questions, func(q Question) bool { return q.Name == name }) {
			return nil, diag.Option(name, "a choice that these files do not leave", found.questions())
		}
	}
	place := map[string]int{}
	for k, f := range files {
		place[f.Name] = k
	}
	used, regions := map[string]bool{}, make([][]string, len(found.Scans))
	for k := range found.Scans {
		s := &found.Scans[k]
		if at, ok := place[s.File]; ok && s.Graph == "" {
			var without []string
			regions[k], without = regionsOf(files[at])
			s.Without, s.Regions = strings.Join(without, "\t"), len(regions[k])
		}
		for _, name := range collection.Names(s.Runs()) {
			used[name] = true
		}
	}
	found.join(regions)
	named := map[string]bool{}
	for _, u := range found.Unused {
		for _, name := range u.Files {
			named[name] = true
		}
	}
	var others []string
	for _, name := range names {
		if used[name] || found.read[name] {
			continue
		}
		found.Ignored = append(found.Ignored, name)
		if !named[name] {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		found.Unused = append(found.Unused, Unused{"no series and no table about one", others})
	}
	if choose[ids] != "" {
		found.number()
	}
	return found, nil
}

// questions lists what may be chosen.
func (f *Found) questions() string {
	if len(f.Questions) == 0 {
		return "none"
	}
	var names []string
	for _, q := range f.Questions {
		names = append(names, q.Name)
	}
	return "one of " + strings.Join(names, ", ")
}

// share gives all scans the tables of regions and labels. Of those that are named after atlases, only the table of the
// series' atlas is given.
func (f *Found) share(lists []formats.File) {
	own := ""
	if len(f.Scans) > 0 {
		r := recordingOf(f.Scans[0].File)
		own = r.of("atlas", "seg")
	}
	atlasOf := func(name string) string {
		r := recordingOf("sub-x_" + path.Base(clean(name)))
		return r.of("atlas", "seg")
	}
	if own == "" || !slices.ContainsFunc(lists, func(l formats.File) bool { return atlasOf(l.Name) == own }) {
		own = ""
	}
	var others []string
	for _, l := range lists {
		if of := atlasOf(l.Name); own != "" && of != "" && of != own { // others may be about any
			others = append(others, l.Name)
			continue
		}
		f.Shared = append(f.Shared, l.Name)
	}
	if others != nil {
		f.Ignored = append(f.Ignored, others...)
		f.Unused = append(f.Unused, Unused{"tables of other atlases than " + own, others})
	}
}

// clean writes a path with slashes.
func clean(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// stem is what comes before the first point of the name of a file.
func stem(name string) string {
	base, _, _ := strings.Cut(path.Base(clean(name)), ".")
	return base
}

// places returns files by their paths and by the last parts of them; "" stands for several.
func places(names []string) map[string]string {
	place := map[string]string{}
	for _, name := range names {
		if base := path.Base(clean(name)); base != clean(name) {
			if _, again := place[base]; again {
				place[base] = ""
			} else {
				place[base] = name
			}
		}
	}
	for _, name := range names {
		place[clean(name)] = name
	}
	return place
}

// mostTable is the size up to which a table is read whole, to distinguish it from others.
const mostTable = 1 << 24

// look reads as much of a file as says what it is: a table whole, of others the beginning. What its name tells is recorded is read later.
func look(f *formats.File, recorded bool) error {
	if f.Data != nil || f.At == nil || recorded {
		return nil
	}
	name := strings.ToLower(f.Name)
	if f.Size < mostTable && (strings.HasSuffix(name, "sv") || strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".json")) {
		return f.Load()
	}
	f.Data = f.Head(beginning)
	return nil
}

// isLabels reports whether a file is a dense label file of CIFTI-2.
func isLabels(f formats.File) bool {
	const intent, dlabel = 504, 3007
	head := f.Head(intent + 4)
	if !IsCIFTI(f) || len(head) < intent+4 {
		return false
	}
	if head[0] == 0 {
		return binary.BigEndian.Uint32(head[intent:]) == dlabel
	}
	return binary.LittleEndian.Uint32(head[intent:]) == dlabel
}

// listsRegions reports whether a file is a table of regions.
func listsRegions(f formats.File) bool {
	p, err := parseText(f)
	return err == nil && p.kind == partRegions
}

// IsCohortTable says from its header whether a file lists scans, or graphs.
func IsCohortTable(f formats.File) bool {
	head, _, _ := strings.Cut(string(f.Head(1<<12)), "\n")
	fields := formats.Fields(strings.TrimPrefix(head, "\ufeff"))
	return listsGraphs(fields) || column(fields, subjectColumns...) >= 0 && column(fields, conditionColumns...) >= 0 && column(fields, fileColumns...) >= 0
}

// listsGraphs reports whether a header is that of a table of graphs.
func listsGraphs(header []string) bool {
	return column(header, graphColumn) >= 0 && column(header, classColumn) >= 0 && column(header, pathColumn) >= 0
}

// Names of the columns of a table of scans, in order of preference.
var (
	subjectColumns   = []string{"subject", "participant_id", "id"}
	conditionColumns = []string{"condition", "task", "class"}
	fileColumns      = []string{"file", "path", "series"}
)

func readScans(f formats.File) ([]collection.Scan, error) {
	t, err := formats.ReadTable(f)
	if err != nil {
		return nil, err
	}
	if listsGraphs(t.Header) {
		return readGraphs(t)
	}
	subject, condition := column(t.Header, subjectColumns...), column(t.Header, conditionColumns...)
	file, confounds := column(t.Header, fileColumns...), column(t.Header, "confounds")
	if subject < 0 || condition < 0 || file < 0 {
		return nil, diag.At(f.Name, 0, "header", formats.List(t.Header, 20),
			"the columns subject, condition and file")
	}
	columns, err := t.Columns()
	if err != nil {
		return nil, err
	}
	var scans []collection.Scan
	for i, row := range t.Rows {
		s := collection.Scan{Subject: columns[subject].Cells[i], Condition: columns[condition].Cells[i], File: columns[file].Cells[i]}
		if s.Subject == "" || s.Condition == "" || s.File == "" {
			return nil, diag.At(f.Name, row.Line, "", "an empty field", "a subject, a condition and a file")
		}
		if confounds >= 0 && !multiplex.IsMissing(row.Fields[confounds]) {
			s.Confounds = row.Fields[confounds]
		}
		scans = append(scans, s)
	}
	return scans, nil
}

// A recording holds the parts of a BIDS file name: sub-01_task-rest_run-1_bold.tsv.
type recording struct {
	entities map[string]string // "sub": "01"; nil when it is no such name
	suffix   string            // the last word: "bold"
}

// recordingOf reads the name of a file, folders before it or not.
func recordingOf(name string) (r recording) {
	for word := range strings.SplitSeq(stem(name), "_") {
		key, value, ok := strings.Cut(word, "-")
		if !ok {
			r.suffix = word
			continue
		}
		if r.entities == nil {
			r.entities = map[string]string{}
		}
		r.entities[key] = value
		r.suffix = ""
	}
	if r.entities["sub"] == "" {
		r.entities = nil
	}
	return r
}

// recorded are the entities of BIDS that tell recordings apart; others tell what became of one.
var recorded = []string{"sub", "ses", "task", "acq", "ce", "rec", "dir", "run", "echo", "part"}

// isOf reports whether a file of confounds is about the recording of a series: they agree in every entity, but that
// confounds of several echoes name none.
func (r recording) isOf(series recording) bool {
	for _, key := range recorded {
		own := r.entities[key]
		if own != series.entities[key] && (own != "" || key != "echo" && key != "part") {
			return false
		}
	}
	return true
}

// isConfounds reports whether a name says that a file holds confounds, whatever the task is called.
func (r recording) isConfounds() bool {
	says := func(s string) bool { return strings.Contains(s, "confound") || strings.Contains(s, "regressor") }
	suffix := strings.ToLower(r.suffix)
	return says(strings.ToLower(r.entities["desc"])) || says(suffix) || suffix == "motion"
}

// confoundsByHeader says by its header whether a table holds confounds.
func confoundsByHeader(header []string) bool {
	moves := 0
	for _, column := range header {
		switch {
		case column == "trans_x" || column == displacement || column == "white_matter":
			return true
		case slices.Contains(motionTitles, letters(column)):
			moves++
		}
	}
	return moves >= 3 && 2*moves >= len(header)
}

// confoundsByName says by its name whether a table holds confounds.
func confoundsByName(name string) bool {
	if r := recordingOf(name); r.entities != nil || saysMotion(name) {
		return saysMotion(name) || r.isConfounds()
	}
	words := strings.FieldsFunc(strings.ToLower(stem(name)), func(r rune) bool { return r < 'a' || r > 'z' })
	for k, w := range words { // of motion the last word speaks: motion_rest may be a task
		if strings.Contains(w, "confound") || strings.Contains(w, "regressor") || strings.HasPrefix(w, "motion") && k == len(words)-1 {
			return true
		}
	}
	return false
}
