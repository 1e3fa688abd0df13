// Package diag holds the kinds of errors that all packages share. Bad data from outside, in a file, a graph or a
// setting, is returned as an [*Error], which says where, what was found there and what was expected:
//
//	return &diag.Error{Where: "layers", Found: "1", Expected: "at least 2"} // layers: found 1, expected at least 2
//
// A bad call, such as slices of lengths that do not belong together, panics with a [Misuse].
package diag

import "strconv"

// An Error says what is wrong with data or a setting, and what was expected.
type Error struct {
	File     string // "" when there is no single one
	Line     int    // from 1; 0 when there is none
	Where    string // a column, a field, a layer, a region, or the name of the option; "" for the whole
	Found    string // quoted when it is text of the data; a sentence where nothing is expected in its place
	Expected string // "" when Found says it all: "released is listed twice"
	Option   bool   // a setting was refused, not data
}

// Option returns the error of a setting of that name.
func Option(name, found, expected string) *Error {
	return &Error{Where: name, Found: found, Expected: expected, Option: true}
}

// At returns the error of data in a file: its line, 0 where there is none, what holds them, what was found
// there and what was expected. A call takes less of a program than a literal does.
func At(file string, line int, where, found, expected string) *Error {
	return &Error{File: file, Line: line, Where: where, Found: found, Expected: expected}
}

// Error returns "file:line: where: found this, expected that", without the parts that are empty.
func (e *Error) Error() string {
	s := e.Found
	if e.Expected != "" {
		s = "found " + e.Found + ", expected " + e.Expected
	}
	if e.Where != "" {
		s = clip(e.Where) + ": " + s
	}
	switch {
	case e.File != "" && e.Line > 0:
		return e.File + ":" + strconv.Itoa(e.Line) + ": " + s
	case e.File != "":
		return e.File + ": " + s
	case e.Line > 0:
		return "line " + strconv.Itoa(e.Line) + ": " + s
	}
	return s
}

// clip returns a name, which may be one of a file, cut when it is long.
func clip(name string) string {
	const most = 80 // characters
	n := 0
	for i := range name {
		if n == most {
			return name[:i] + "…"
		}
		n++
	}
	return name
}

// An Unregistered is the error of a program that has not registered what trains a method, or prepares its inputs. The program can be
// built with it; nothing is wrong with data or settings.
type Unregistered struct{ What, By string }

func (e *Unregistered) Error() string {
	return "this program has nothing registered for " + e.What + ": register it by " + e.By
}

// A Misuse is a mistake of the program, such as arguments whose sizes do not fit together. It begins with the name of
// the package whose function was called, and is panicked, never returned.
type Misuse string

func (m Misuse) Error() string { return string(m) }

// Unless panics with m unless a condition of the call holds.
func (m Misuse) Unless(holds bool) {
	if !holds {
		panic(m)
	}
}
