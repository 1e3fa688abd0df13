package worker

import (
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// surfaced has notes about a surface, which comes along.
type surfaced struct {
	Notes []string `json:"notes"`
}

// surfaceArgs are the arguments of surface.
type surfaceArgs struct {
	Data    run.DataSpec `json:"data"`
	Names   []string     `json:"names"`
	Regions int          `json:"regions"`
}

// surface reads a surface of the cortex and the regions of its vertices. It does not touch open
// data.
func (w *brains) surface(_ *Worker, r *bridge.Request, given any) error {
	args := given.(*surfaceArgs)
	files, _, err := contents(args.Data, r)
	if err != nil {
		return err
	}
	if args.Names != nil && len(args.Names) != args.Regions {
		return bridge.Errorf("bad-option", "There are %d names for %d regions.", len(args.Names), args.Regions)
	}
	vertices, triangles, region, notes, err := w.brain.Surface(files, args.Names, args.Regions)
	if err != nil {
		return err
	}
	return r.Reply(surfaced{append([]string{}, notes...)}, bridge.Float32s("vertices", vertices, len(vertices)/3, 3),
		bridge.Int32s("triangles", triangles, len(triangles)/3, 3), bridge.Int32s("region", region))
}
