package connectome

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"cadem/core/formats"
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
// would count twice, and compared with one of them it would resemble itself. Of connectivity, which cannot be joined, it is the
// parts that are left out.
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
		run, ses := cmp.Or(f.entities["run"], unnamed), cmp.Or(f.entities["ses"], unnamed)
		first, runs, by := parts[0].entities, b.choose["runs"], b.choose["condition"]
		switch {
		case runs == run && first["run"] != f.entities["run"] || b.choose["sessions"] == ses && first["ses"] != f.entities["ses"]:
		case f.role == matrixRole && runs == "" && by != "run" && first["ses"] == f.entities["ses"]:
			for _, o := range parts {
				why[o.name] = "a part of the connectivity of all runs, which is used; runs=apart would take it instead"
			}
		default:
			why[f.name] = "it holds the recordings beside it once more, as all runs one after the other; runs=" + run + " would take it instead of them"
		}
	}
	b.dropFiles(func(f *recordedFile) string { return why[f.name] })
}

// holds reports whether a recording holds those that it may hold by its name. It has rows of one of them; or it is called a joined
// one; or there are several, and it is longer than each and nearly as long as all.
func (b *bidsFolder) holds(f *recordedFile, parts []*recordedFile) bool {
	head, longest, all := b.heads[clean(f.name)], 0.0, 0.0
	for _, o := range parts {
		longest, all = max(longest, b.size(o)), all+b.size(o)
		if sharesRows(head, b.heads[clean(o.name)]) {
			return true
		}
	}
	for _, v := range f.entities {
		if isJoined(v) && len(parts) > 0 {
			return true
		}
	}
	const more, share = 1.05, 0.7                                                // than what digits differ in length; of what frames that are left out may leave
	long := b.size(f) > more*longest && (b.size(f) > share*all || IsCIFTI(head)) // whose headers are long
	return len(parts) > 1 && (f.role == matrixRole || long)
}

func (b *bidsFolder) size(f *recordedFile) float64 {
	head := b.heads[clean(f.name)]
	return float64(max(head.Size, int64(len(head.Data))))
}

// sharesRows reports whether the beginning of a text has rows of numbers from that of another one.
func sharesRows(whole, part formats.File) bool {
	const first, shortest, enough = 50, 20, 3
	text, shared := whole.Head(beginning), 0
	rows := bytes.SplitN(part.Head(beginning), []byte("\n"), first)
	for _, row := range rows[min(1, len(rows)):max(len(rows)-1, 1)] {
		if len(row) >= shortest && !isBinary(text) && bytes.Contains(text, row) {
			shared++
		}
	}
	return shared >= enough
}
