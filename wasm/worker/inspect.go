package worker

import (
	"cadem/core/formats"
	"cadem/core/study"
	"cadem/wasm/bridge"
)

// inspect tells what files hold and what would be made of them. Nothing is opened.
func inspect(r *bridge.Request) error {
	var args struct {
		Data study.DataSpec `json:"data"`
	}
	if err := r.Args(&args); err != nil {
		return err
	}
	files, _, err := contents(args.Data, r)
	if err != nil {
		return err
	}
	c, err := formats.Read(files)
	if err != nil {
		return err
	}
	d, err := c.Describe()
	result := map[string]any{"description": d}
	if err != nil {
		result["problem"] = coded(err).Message
	}
	r.Reply(result)
	return nil
}
