package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cadem/core/diag"
	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/scripts/cadem/console"
)

// A cabinet keeps results of tasks in a folder, a file each.
type cabinet struct {
	p    *program
	dir  string // "": none
	say  func(format string, values ...any)
	lost error // why a result could not be kept
}

// open makes the folder, and finds out whether it takes files.
func (c *cabinet) open() error {
	if c.dir == "" {
		return nil
	}
	err := os.MkdirAll(c.dir, 0o755)
	if err == nil {
		err = console.CheckFolder(c.dir)
	}
	if err != nil {
		return diag.Option("-cache", err.Error(), "a folder that can be written to")
	}
	return nil
}

// find reads the result of a task that an earlier run kept; nil when there is none.
func (c *cabinet) find(key string) *measure.Result {
	if c.dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(c.dir, key+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r := &measure.Result{}
	if err == nil {
		err = json.Unmarshal(data, r)
	}
	if err != nil || r.Key != key {
		c.say("%s.json cannot be used and is computed anew", key)
		return nil
	}
	return r
}

// keep writes a result. The study goes on when that fails: its report can still be printed.
func (c *cabinet) keep(r *measure.Result) error {
	if c.dir == "" || c.lost != nil {
		return nil
	}
	if c.lost = c.write(r); c.lost != nil {
		c.say("no more results are kept: %v", c.lost)
	}
	return nil
}

func (c *cabinet) write(r *measure.Result) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return console.WriteFile(filepath.Join(c.dir, r.Key+".json"), data)
}

// interrupted keeps the results of an interrupted study, in a new folder where none was named,
// and says how to go on. The error is errInterrupted.
func (c *cabinet) interrupted(args []string, results study.Results, tasks int) error {
	out := c.p.stderr
	if len(results) == 0 {
		fmt.Fprintf(out, "interrupted before one of %d tasks was done; nothing is kept\n", tasks)
		return errInterrupted
	}
	more := ""
	if c.dir == "" {
		c.dir = unused("cadem-study", "")
		more = " -cache " + quoted(c.dir)
		if c.lost = os.Mkdir(c.dir, 0o755); c.lost == nil {
			for _, r := range results {
				c.lost = errors.Join(c.lost, c.write(r))
			}
		}
	}
	fmt.Fprintf(out, "interrupted: %d of %d tasks are done", len(results), tasks)
	if c.lost != nil {
		fmt.Fprintf(out, "; not all of them could be kept: %v\n", c.lost)
		return errInterrupted
	}
	line := "  cadem study"
	for _, a := range args {
		line += " " + quoted(a)
	}
	fmt.Fprintf(out, " and kept in %s, what was under way is lost. To continue:\n%s%s\n", c.dir, line, more)
	return errInterrupted
}
