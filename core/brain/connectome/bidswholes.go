package connectome

import (
	"cmp"
	"slices"
	"strings"
)

// joinedWords are parts of the values of entities of a recording that others were put together in.
var joinedWords = []string{"concat", "combine", "merge", "join"}

// isJoined reports whether a value of an entity stands for all of them.
func isJoined(value string) bool {
	v := strings.ToLower(value)
	return v == "all" || slices.ContainsFunc(joinedWords, func(w string) bool { return strings.Contains(v, w) })
}

// mayHold reports whether by the names a recording may hold another one of its subject: it has no session, direction or run where
// the other one has, or a value for all of them, or a run that is no number where the other one's is.
func (r recording) mayHold(o recording) (wider bool) {
	const digits = "0123456789"
	for _, k := range recordedKeys {
		own, other := r.entities[k], o.entities[k]
		list := k == "run" && strings.Trim(own, digits) != "" && strings.Trim(other, digits) == ""
		switch {
		case own == other:
		case other == "" || own != "" && !isJoined(own) && !list:
			return false
		default:
			wider = true
		}
	}
	return wider
}

// leaveOutWholes leaves out recordings that hold others beside them, such as all runs one after the other: joined to its parts it
// would count twice, and compared with one of them it would resemble itself.
func (b *bidsFolder) leaveOutWholes() {
	of := map[string][]*recordedFile{}
	for _, f := range b.data() {
		of[f.entities["sub"]] = append(of[f.entities["sub"]], f)
	}
	why := map[string]string{}
	for _, f := range b.data() {
		var parts []*recordedFile
		for _, o := range of[f.entities["sub"]] {
			if f.mayHold(o.recording) {
				parts = append(parts, o)
			}
		}
		if !b.holds(f, parts) {
			continue
		}
		first := parts[0].entities
		asked := func(question, key string) bool {
			return b.choose[question] == cmp.Or(f.entities[key], unnamed) && first[key] != f.entities[key]
		}
		if !asked("runs", "run") && !asked("sessions", "ses") {
			why[f.name] = "it holds the recordings beside it once more, as all runs one after the other; runs=" +
				cmp.Or(f.entities["run"], unnamed) + " would take it instead of them"
		}
	}
	b.dropFiles(func(f *recordedFile) string { return why[f.name] })
}

// holds reports whether a recording holds those that it may hold by its name: it is called a joined one, or there are several, and
// it is longer than each and nearly as long as all. What this misses is refused by its frames.
func (b *bidsFolder) holds(f *recordedFile, parts []*recordedFile) bool {
	longest, all := 0.0, 0.0
	for _, o := range parts {
		longest, all = max(longest, b.size(o)), all+b.size(o)
	}
	for _, v := range f.entities {
		if isJoined(v) && len(parts) > 0 {
			return true
		}
	}
	// More than what digits differ in length; the share of what frames that are left out may leave.
	const more, share = 1.05, 0.7
	long := b.size(f) > more*longest && (b.size(f) > share*all || IsCIFTI(b.heads[clean(f.name)])) // whose headers are long
	return len(parts) > 1 && (f.role == matrixRole || long)
}

func (b *bidsFolder) size(f *recordedFile) float64 {
	head := b.heads[clean(f.name)]
	return float64(max(head.Size, int64(len(head.Data))))
}
