package connectome

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// A sidecar is a JSON file about series.
type sidecar struct {
	recording
	name     string
	tr       float64 // how long a frame takes; 0: it does not say
	bad      string  // what is wrong with what it says of that
	filtered string  // which of its fields says that a series was filtered
	rank     int     // how much it says of one
}

// beside finds the files about a recording.
func (b *bidsFolder) beside(f *recordedFile) collection.Run {
	r := collection.Run{File: f.name}
	b.used[f.name] = true
	done := b.isClean(f)
	for _, k := range b.of[f.entities["sub"]] {
		o := &b.files[k]
		if o.role.isData() || o.role == sidecarRole || !o.isOf(f.recording) {
			continue
		}
		switch {
		case f.role == matrixRole && o.role != motionRole: // cleaned before
		case o.role == outliersRole:
			r.Outliers = o.name
		case o.role == motionRole && (done || f.role == matrixRole):
			r.Motion = o.name
		case o.role != outliersRole && !done && (r.Confounds == "" ||
			o.isConfounds()): // before what only moves
			r.Confounds, r.Modern = o.name, true
		}
	}
	for _, name := range []string{r.Confounds, r.Motion, r.Outliers} {
		b.used[name] = true
	}
	b.signal(&r, f)
	return r
}

// signal adds what JSON files say of the series of a run: the time between frames, and that it was filtered before.
func (b *bidsFolder) signal(r *collection.Run, f *recordedFile) {
	for _, c := range b.about(f) {
		if r.TR == 0 {
			r.TR, r.Untimed = c.tr, cmp.Or(r.Untimed, c.bad)
			b.used[c.name] = b.used[c.name] || c.tr > 0
		}
		r.Filtered = cmp.Or(r.Filtered, c.filtered)
	}
	if desc := f.entities["desc"]; r.Filtered == "" && strings.HasPrefix(desc, "denoised") {
		r.Filtered = "desc-" + desc + " in its name"
	}
	if said := r.Untimed + "; it is not used."; r.Untimed != "" && !slices.Contains(b.said, said) {
		b.said = append(b.said, said)
	}
}

// about lists the JSON files about a series, the one that says most of it first. By the rules of inheritance these are the files
// in its folder or above it whose name has none but its entities; the nearest, and of these the most special, says most. A table
// of regions has another name than the image that it was made from, so those of the denoised and of the raw image follow.
func (b *bidsFolder) about(f *recordedFile) (list []sidecar) {
	made := b.isClean(f)
	all := append(b.sidecars[""][:len(b.sidecars[""]):len(b.sidecars[""])], b.sidecars[f.entities["sub"]]...)
	for _, c := range all {
		dir, own := path.Dir(clean(c.name)), path.Dir(clean(f.name))
		inherits := (dir == "." || strings.HasPrefix(own+"/", dir+"/")) &&
			(c.suffix == f.suffix || c.suffix == "bold" || c.suffix == "timeseries")
		image := c.suffix == "bold" && c.of("stat") == "" && !c.isConfounds()
		for k, v := range c.entities {
			same := v == f.entities[k]
			inherits = inherits && same
			image = image && (same || k == "echo" || k == "part" || !slices.Contains(recorded, k))
			c.rank += 2
		}
		switch {
		case inherits:
			c.rank += 1000 * (1 + len(strings.TrimPrefix(dir, "."))) // nearer beats more special
			if c.suffix == f.suffix {
				c.rank++
			}
		case !image:
			continue
		case strings.HasPrefix(c.entities["desc"], "denoised"):
			c.rank += 100
		}
		if !inherits && !made {
			c.filtered = "" // by another program
		}
		list = append(list, c)
		for k := len(list) - 1; k > 0 && list[k-1].rank <= list[k].rank; k-- {
			list[k-1], list[k] = list[k], list[k-1]
		}
	}
	return list
}

// isClean reports whether series were cleaned before, as those of XCP-D are: the motion beside them is not a confound.
func (b *bidsFolder) isClean(f *recordedFile) bool {
	if f.entities["stat"] != "" || strings.HasPrefix(f.entities["desc"], "denoised") {
		return true
	}
	return slices.ContainsFunc(b.of[f.entities["sub"]], func(k int) bool { return b.files[k].role == outliersRole && b.files[k].isOf(f.recording) })
}

// filterWords are parts of the names of fields that say how a series was filtered, in small letters alone.
var filterWords = []string{"softwarefilter", "bandpass", "highpass", "lowpass", "temporalfilter", "freqband"}

// unsaid are values, without blanks, that say that there is none.
var unsaid = []string{"null", "false", "0", "{}", "[]", `""`, `"n/a"`, `"none"`}

// readSidecar keeps what a JSON file says of series.
func (b *bidsFolder) readSidecar(f formats.File) {
	const slowest = 100 // seconds
	var says map[string]json.RawMessage
	name := clean(f.Name)
	s := sidecar{recording: recordingOf(name), name: f.Name}
	if s.entities == nil { // of all subjects
		s.recording = recordingOf("sub-all_" + path.Base(name))
		delete(s.entities, "sub")
	}
	if err := json.Unmarshal(bytes.TrimPrefix(f.Data, []byte("\ufeff")), &says); err != nil {
		s.bad = f.Name + ": found no JSON object (" + err.Error() + ")"
	}
	for _, field := range []string{"RepetitionTime", "SamplingFrequency"} {
		text := string(says[field])
		if s.tr > 0 || text == "" || text == `"TR"` { // as XCP-D writes where another file says it
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if field == "SamplingFrequency" {
			v = 1 / v
		}
		if err == nil && v > 0 && v <= slowest {
			s.tr = v
			continue
		}
		e := diag.Error{File: f.Name, Where: field, Found: text[:min(len(text), 40)]}
		e.Expected = fmt.Sprintf("a number that makes a frame take more than 0 and up to %d s", slowest)
		s.bad = cmp.Or(s.bad, e.Error())
	}
	for field := range says {
		name := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(field, " ", ""), "-", ""))
		value := strings.ToLower(strings.Join(strings.Fields(string(says[field])), ""))
		is := slices.ContainsFunc(filterWords, func(w string) bool { return strings.Contains(name, w) })
		if said := f.Name + ": " + field; is && !slices.Contains(unsaid, value) && (s.filtered == "" || said < s.filtered) {
			s.filtered = said
		}
	}
	b.sidecars[s.of("sub")] = append(b.sidecars[s.of("sub")], s)
}
