package bridge

import "syscall/js"

// Composed returns the form NFC of a text, by the browser's own tables.
func Composed(text string) string {
	return js.Global().Get("String").Get("prototype").Get("normalize").Call("call", text, "NFC").String()
}
