package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/cadem/console"
)

// A resultFolder keeps results of tasks in a folder, a file each.
type resultFolder struct {
	p     *program
	dir   string // "": none
	flag  string // that named it
	say   func(format string, values ...any)
	lost  error // why a result could not be kept
	aside aside // without dir

	lock sync.Mutex
	done study.Results // by now; without dir, whole unless aside has them
}

// open makes the folder, and finds out whether it takes files. No result may replace those that are there.
func (c *resultFolder) open() error {
	if c.dir == "" {
		return nil
	}
	there, err := filepath.Glob(filepath.Join(c.dir, "*"+resultEnding)) // the plan, too
	if err = errors.Join(err, c.p.apart(there...)); err != nil {
		return err
	}
	err = os.MkdirAll(c.dir, 0o777)
	if err == nil {
		err = console.CheckFolder(c.dir)
	}
	if err != nil {
		return diag.Option(c.flag, err.Error(), "a folder that can be written to")
	}
	return nil
}

// find reads the result of a task that an earlier run kept; nil when there is none.
func (c *resultFolder) find(key string) *measure.Result {
	if c.dir == "" {
		return c.aside.find(key)
	}
	r := &measure.Result{}
	err := readJSON(filepath.Join(c.dir, key+resultEnding), r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || r.Key != key {
		c.say("%s%s cannot be used, as if it were not there", key, resultEnding)
		return nil
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.had(key, nil)
	return r
}

// had notes a result that is done; nil where it can be found again.
func (c *resultFolder) had(key string, r *measure.Result) {
	if c.done == nil {
		c.done = study.Results{}
	}
	c.done[key] = r
}

// readJSON reads a file of JSON. One that is cut off or has been changed is an error; older ones have no sum.
func readJSON(name string, v any) error {
	data, err := readFile(name)
	if err != nil {
		return err
	}
	if i := bytes.LastIndex(data, []byte(sumKey)); i >= 0 {
		if whole := append(data[:i:i], '}'); !bytes.Equal(summed(whole), data) {
			return fmt.Errorf("%s has been changed", name)
		}
	}
	return json.Unmarshal(data, v)
}

// sumKey is that of the last entry of a kept object, the sum of what the object is without it.
const sumKey = `,"sum":"`

func summed(object []byte) []byte {
	end := len(object) - 1
	return fmt.Appendf(object[:end:end], `%s%x"}`, sumKey, sha256.Sum256(object))
}

// Files of a task: its result, the state of its training when it was stopped, and how long it took.
const (
	resultEnding = ".json"
	leftEnding   = ".left.json"
	tookEnding   = ".took.json"
)

// put writes a file of JSON.
func (c *resultFolder) put(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.p.write(c.flag, filepath.Join(c.dir, name), summed(data))
}

// left reads where the training of a task stood; nil when there is nothing.
func (c *resultFolder) left(key string) *study.Left {
	l := &study.Left{}
	err := readJSON(filepath.Join(c.dir, key+leftEnding), l)
	if err != nil || l.Key != "" && l.Key != key {
		if !errors.Is(err, fs.ErrNotExist) {
			c.say("%s%s cannot be used: what it was of begins anew", key, leftEnding)
		}
		return nil
	}
	return l
}

// leave keeps where the training of a task stands.
func (c *resultFolder) leave(key string, l *study.Left) {
	l.Key = key
	if err := c.put(key+leftEnding, l); err != nil {
		c.say("where a training stands cannot be kept: %v", err)
	}
}

// drop lets go where the training of a task stood, which is done.
func (c *resultFolder) drop(key string) { os.Remove(filepath.Join(c.dir, key+leftEnding)) }

// keep writes a result. The study goes on when that fails: its report can still be printed.
func (c *resultFolder) keep(r *measure.Result, _ float64) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.had(r.Key, r); c.dir == "" || c.lost != nil {
		return nil
	}
	if c.lost = c.write(r); c.lost != nil {
		c.say("no more results are kept: %v", c.lost)
	}
	return nil
}

func (c *resultFolder) write(r *measure.Result) error { return c.put(r.Key+resultEnding, r) }

// spill keeps a result for the tasks that need all of it, and reports whether find will give it back.
func (c *resultFolder) spill(r *measure.Result) bool {
	if c.dir != "" {
		return c.lost == nil // keep has written it
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	put := c.aside.put(r)
	if put {
		c.had(r.Key, nil)
	}
	return put
}

// interrupted keeps the results of an interrupted study, in a new folder where none was named,
// and says how to go on. The error is errInterrupted.
func (c *resultFolder) interrupted(args []string, tasks int) error {
	c.lock.Lock() // for good
	out, results := c.p.stderr, c.done
	defer c.aside.drop()
	if len(results) == 0 {
		fmt.Fprintf(out, "interrupted before one of %d tasks was done; nothing is kept\n", tasks)
		return errInterrupted
	}
	more := ""
	if c.dir == "" {
		c.dir = unused("cadem-study", "")
		more = " -cache " + quoted(c.dir)
		if c.lost = os.Mkdir(c.dir, 0o777); c.lost == nil {
			for key, r := range results {
				if whole := c.aside.find(key); whole != nil {
					r = whole
				}
				c.lost = errors.Join(c.lost, c.write(r))
			}
		}
	}
	fmt.Fprintf(out, "interrupted: %d of %d tasks are done", len(results), tasks)
	if c.lost != nil {
		fmt.Fprintf(out, "; not all of them could be kept: %v\n", c.lost)
		return errInterrupted
	}
	fmt.Fprintf(out, " and kept in %s, what was under way is lost. To continue:\n  cadem study %s%s\n", c.dir, joined(args), more)
	return errInterrupted
}
