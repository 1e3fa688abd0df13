package connectome

import (
	"path"
	"slices"
	"strings"

	"cadem/core/formats"
	"cadem/core/json"
)

// A sidecar is a JSON file that says how long a frame takes.
type sidecar struct {
	recording
	name string
	tr   float64
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

// isClean reports whether series were cleaned before, as those of XCP-D are: the motion beside them is not a confound.
func (b *bidsFolder) isClean(f *recordedFile) bool {
	if f.entities["stat"] != "" || strings.HasPrefix(f.entities["desc"], "denoised") {
		return true
	}
	return slices.ContainsFunc(b.of[f.entities["sub"]], func(k int) bool { return b.files[k].role == outliersRole && b.files[k].isOf(f.recording) })
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
