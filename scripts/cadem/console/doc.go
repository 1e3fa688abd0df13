// Package console is what programs on a terminal share: files that results go to, how far
// long work is, and text in lines of at most [Columns] characters.
package console
