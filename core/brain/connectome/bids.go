package connectome

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Question asks for a choice that the files of many recordings leave open, such as one of several atlases. The usual
// answer is taken unless another one is chosen by the name of the question.
type Question struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Chosen string   `json:"chosen"`
	Said   string   `json:"said"` // what is taken, in a sentence
}

// Unused are files that are not used, for one reason.
type Unused struct {
	Why   string   `json:"why"`
	Files []string `json:"files"`
}

// Text says in a line which files they are and why.
func (u *Unused) Text() string {
	names := path.Base(clean(u.Files[0]))
	if n := len(u.Files); n > 1 {
		names = fmt.Sprintf("%d files such as %s", n, names)
	}
	return names + " (" + u.Why + ")"
}

// Kinds of files by BIDS or HCP names.
type role int

const (
	unusedRole role = iota
	seriesRole
	matrixRole
	confoundsRole
	motionRole
	outliersRole
	sidecarRole
)

// isData reports whether a file holds a series, or connectivity.
func (r role) isData() bool { return r == seriesRole || r == matrixRole }

// A recorded file is one of a subject's.
type recordedFile struct {
	recording
	name string
	role role
}

// of returns the value of the first of some entities that a name has.
func (r recording) of(keys ...string) string {
	for _, k := range keys {
		if v := r.entities[k]; v != "" {
			return v
		}
	}
	return ""
}

// isRecorded reports whether a file is a series, connectivity or a table about one by its name alone.
func isRecorded(name string) bool {
	r := recordingOf(name)
	if r.entities == nil {
		return false
	}
	is, _ := r.roleOf(name)
	return is == confoundsRole || is == motionRole || is == outliersRole || is == matrixRole ||
		is == seriesRole && (r.suffix == "timeseries" || r.suffix == "bold")
}

// variants are differences between files of one recording, and kinds of recordings that are not put together: the name of the
// question, and the entities that distinguish them.
var variants = []struct {
	name string
	keys []string
}{{"atlas", []string{"atlas", "seg"}}, {"space", []string{"space"}}, {"den", []string{"den"}}, {"res", []string{"res"}}, {"desc", []string{"desc"}},
	{"acq", []string{"acq"}}, {"rec", []string{"rec"}}, {"ce", []string{"ce"}}, {"echo", []string{"echo"}}, {"part", []string{"part"}}}

// endings of files that may hold a series or connectivity, the ones first that say most of it.
var endings = []string{"ptseries.nii", "pconn.nii", "tsv", "csv", "txt", "1d", "npy", "npz", "mat", "tsv.gz", "csv.gz", "dtseries.nii"}

// whatFiles says why files of some last words, or of some statistic, are not used.
var whatFiles = []struct {
	words []string
	why   string
}{
	{[]string{"coverage"}, "coverage of the regions, which the series show themselves"},
	{[]string{"reho", "alff"}, "regional homogeneity and amplitudes, one number a region"},
	{[]string{"events", "physio", "stim"}, "events and physiology"},
	{[]string{"mask", "boldref", "sbref", "T1w", "T2w", "dseg", "probseg", "xfm"}, "images, masks and transforms"},
	{[]string{"qc", "design", "timeseries-qc"}, "tables of quality and designs of other programs"},
}

// roleOf says what a file is by its name; of one that is not used it says why.
func (r recording) roleOf(name string) (role, string) {
	base := path.Base(clean(name))
	_, ending, _ := strings.Cut(base, ".")
	ending = strings.ToLower(ending)
	stat := r.entities["stat"]
	for _, w := range whatFiles {
		if slices.Contains(w.words, r.suffix) || slices.Contains(w.words, stat) {
			return unusedRole, w.why
		}
	}
	switch {
	case saysMotion(name):
		return confoundsRole, ""
	case ending == "json":
		return sidecarRole, ""
	case strings.HasSuffix(ending, "html") || strings.HasSuffix(ending, "svg") || strings.HasSuffix(ending, "png"):
		return unusedRole, "pages and pictures"
	case strings.HasSuffix(ending, "nii.gz") || ending == "nii":
		return unusedRole, "volumes, which are to be averaged over regions before"
	case !slices.Contains(endings, ending):
		return unusedRole, "files of other kinds"
	case r.suffix == "outliers":
		return outliersRole, ""
	case r.suffix == "motion":
		return motionRole, ""
	case r.isConfounds():
		return confoundsRole, ""
	case r.suffix == "relmat" || r.suffix == "conmat" || ending == "pconn.nii":
		return matrixRole, ""
	case stat != "" && stat != "mean":
		return unusedRole, "other statistics than the mean of a region"
	}
	return seriesRole, ""
}

// hcpRecording reads a name as the Human Connectome Project gives it: 100307/.../rfMRI_REST1_LR/rfMRI_REST1_LR_Atlas.ptseries.nii.
func hcpRecording(name string) (r recording) {
	parts := strings.Split(clean(name), "/")
	subject := ""
	isSubject := func(s string) bool {
		_, err := strconv.Atoi(s)
		return err == nil && len(s) == 6
	}
	for k := len(parts) - 1; k >= 0; k-- {
		words := strings.Split(strings.SplitN(parts[k], ".", 2)[0], "_")
		if subject == "" && isSubject(words[0]) {
			subject = words[0]
			words = words[1:]
		}
		if r.entities != nil || len(words) < 2 || words[0] != "rfMRI" && words[0] != "tfMRI" {
			continue
		}
		task := strings.TrimRight(words[1], "0123456789")
		r.entities = map[string]string{"task": strings.ToLower(task)}
		if run := words[1][len(task):]; run != "" {
			r.entities["run"] = run
		}
		if len(words) > 2 && len(words[2]) == 2 && strings.ToUpper(words[2]) == words[2] {
			r.entities["dir"] = words[2]
		}
		r.suffix = "bold"
		if last := parts[len(parts)-1]; k < len(parts)-1 && strings.HasPrefix(last, "Movement_") {
			r.suffix = "none"
			if strings.HasPrefix(last, "Movement_Regressors.") {
				r.suffix = "regressors"
			}
		} else if k < len(parts)-1 {
			r.suffix = "none" // not by its own name
		}
	}
	if r.entities == nil || subject == "" {
		return recording{}
	}
	r.entities["sub"] = subject
	return r
}
