package page

import "strings"

// mostWaiting is the largest number of bytes of waiting announcements: nobody listens to more at a time.
const mostWaiting = 300

// together returns the next announcement when text comes while something is still waiting. The
// result of a reader's action and an event of the page often come close together, and neither may
// replace the other.
func together(waiting, text string) string {
	switch {
	case waiting == "" || len(waiting)+len(text) >= mostWaiting:
		return text
	case strings.Contains(waiting, text):
		return waiting
	}
	return waiting + " " + text
}
