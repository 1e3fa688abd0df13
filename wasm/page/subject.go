package page

import (
	"fmt"
	"strconv"

	"cadem.example/core/base/json"
)

// percent writes a share.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// A recording is what the page says of how the graph of one subject's brain was made, out of what its reader says of it.
type recording struct {
	Quality struct {
		Frames       int      `json:"frames"`  // 0 when there is no series
		Seconds      float64  `json:"seconds"` // 0 when the time between frames is not known
		Motion       *float64 `json:"motion"`  // mm a frame, nil when it is not known
		Moved        *float64 `json:"moved"`   // share of the frames
		Positive     float64  `json:"positive"`
		Negative     float64  `json:"negative"` // share of the pairs of regions
		Constant     int      `json:"constant"` // regions
		CoIsolates   int      `json:"co_isolates"`
		AntiIsolates int      `json:"anti_isolates"`
	} `json:"quality"`
	TR    float64  `json:"tr"` // in seconds, 0 when it is not known
	Steps []string `json:"steps"`
}

// facts are the quality numbers, each under its name.
func facts(s *recording) [][2]string {
	q := &s.Quality
	list := [][2]string{}
	add := func(name, format string, values ...any) {
		list = append(list, [2]string{name, fmt.Sprintf(format, values...)})
	}
	switch {
	case q.Frames > 0 && s.TR > 0:
		add("Length", "%d frames of %v s, %.0f s", q.Frames, s.TR, q.Seconds)
	case q.Frames > 0:
		add("Length", "%d frames; how long one takes is not known", q.Frames)
	default:
		add("Length", "not known: functional connectivity was given")
	}
	if q.Motion != nil {
		add("Motion", "%.2f mm a frame in the mean, %s of the frames beyond 0.5 mm", *q.Motion, percent(*q.Moved))
	} else {
		add("Motion", "not known: no column framewise_displacement")
	}
	add("Pairs of regions", "%s positive, %s negative", percent(q.Positive), percent(q.Negative))
	add("Without an edge at first", "%d in co-activation, %d in anti-activation", q.CoIsolates, q.AntiIsolates)
	if q.Constant > 0 {
		add("Regions that do not change", "%d", q.Constant)
	}
	return list
}

// subjectTrees shows quality and steps; nothing of what is no subject.
func subjectTrees(about json.RawMessage) []node {
	s := &recording{}
	if json.Unmarshal(about, s) != nil {
		return nil
	}
	body := el("tbody", "")
	for _, f := range facts(s) {
		body.children = append(body.children, el("tr", "", el("th", "scope=row", text(f[0])), el("td", "", text(f[1]))))
	}
	steps := el("ol", "class=steps small")
	for _, step := range s.Steps {
		steps.children = append(steps.children, el("li", "", text(step)))
	}
	return []node{
		el("table", "class=quality", el("caption", "class=unseen", text("Quality")), body),
		el("p", "class=soft small", text("What was done, in this order; each step can be changed under Settings:")), steps,
	}
}
