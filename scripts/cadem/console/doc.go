// Package console is shared by programs on a terminal: files for results, progress of long work,
// and text in lines of at most [Columns] characters.
package console
