package main

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"strings"

	"cadem.example/scripts/cadem/console"
)

// A result is a file to be written, and the flag that names it.
type result struct{ flag, name string }

// writes notes the file of a result, before the work: it can be written, nothing that is read is
// there, and no other result. An empty name is none.
func (p *program) writes(flag, name string, endings ...string) error {
	if name == "" {
		return nil
	}
	if err := console.CheckOutput(flag, name, endings...); err != nil {
		return err
	}
	others := slices.Clone(p.inputs)
	for _, o := range p.outputs {
		others = append(others, o.name)
	}
	p.outputs = append(p.outputs, result{flag, name})
	return console.CheckApart(flag, name, others...)
}

// reads notes a file that is read, now or later. One that a result would replace is refused.
func (p *program) reads(name string) error {
	p.inputs = append(p.inputs, name)
	return p.apart(name)
}

// apart refuses files that a result would replace.
func (p *program) apart(names ...string) error {
	for _, o := range p.outputs {
		if err := console.CheckApart(o.flag, o.name, names...); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file that no flag names, such as one in a folder: it, too, replaces nothing that is read.
func (p *program) write(flag, name string, data []byte) error {
	if _, err := os.Lstat(name); err == nil {
		if err := console.CheckApart(flag, name, p.inputs...); err != nil {
			return err
		}
	}
	p.writing.RLock()
	defer p.writing.RUnlock()
	return writeFile(name, data)
}

// writeFile writes what is kept; a test has it meet a full disk.
var writeFile = console.WriteFile

// statFile looks at a file that is to be read. A pipe without a writer would be waited for, and a
// device has no end: neither is opened, but for what the shell has opened, as in <(COMMAND).
func statFile(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() {
		return info, err
	}
	opened := strings.HasPrefix(name, "/dev/fd/") || name == "/dev/stdin"
	if opened && info.Mode()&fs.ModeNamedPipe != 0 {
		return info, nil
	}
	return nil, misuse("%s: found %s, expected a file", name, kindOf(info))
}

// kindOf says what is not a file.
func kindOf(info fs.FileInfo) string {
	kinds := map[fs.FileMode]string{fs.ModeDir: "folder", fs.ModeNamedPipe: "pipe", fs.ModeSocket: "socket"}
	return "a " + cmp.Or(kinds[info.Mode().Type()], "device")
}

// readFile reads a whole file.
func readFile(name string) ([]byte, error) {
	if _, err := statFile(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}
