// Package page is the part of the page that Go writes: status line, live region,
// metrics table, the text twin of the loss chart, the data card and the messages, as
// wasm/PROTOCOL.md describes under "Page role".
//
// The content is a tree of elements and texts, made by plain functions. The document is built from
// it once; as long as the next tree has the same elements only the texts that differ are written.
// Calls into the document are slow from Go, so building rests every few milliseconds.
package page

import "strings"

// A node is an element, or a text when it has no tag.
type node struct {
	tag        string
	attributes string // name=value pairs, separated by blanks; values have no blanks except for class, which comes last
	text       string
	children   []node
}

func text(s string) node { return node{text: s} }

// el returns an element. attributes is for example "scope=col class=big bold".
func el(tag, attributes string, children ...node) node {
	return node{tag: tag, attributes: attributes, children: children}
}

// pairs splits attributes into names and values.
func (n *node) pairs() [][2]string {
	var list [][2]string
	rest := n.attributes
	for rest != "" {
		name, value, _ := strings.Cut(rest, "=")
		rest = ""
		if name != "class" {
			value, rest, _ = strings.Cut(value, " ")
		}
		list = append(list, [2]string{name, value})
	}
	return list
}

// sameShape reports whether two trees differ in texts at most.
func sameShape(a, b *node) bool {
	if a.tag != b.tag || a.attributes != b.attributes || len(a.children) != len(b.children) {
		return false
	}
	for i := range a.children {
		if !sameShape(&a.children[i], &b.children[i]) {
			return false
		}
	}
	return true
}

// texts appends the texts of a tree in order.
func (n *node) texts(list []string) []string {
	if n.tag == "" {
		return append(list, n.text)
	}
	for i := range n.children {
		list = n.children[i].texts(list)
	}
	return list
}
