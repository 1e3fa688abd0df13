package page

import "strings"

// mostWaiting is how many bytes of announcements wait at most: nobody listens to more at a time.
const mostWaiting = 300

// together returns what is announced next when text comes while something is still waiting.
// What a reader has done and what the page does by itself come close to each other, and
// neither may take the other's place.
func together(waiting, text string) string {
	switch {
	case waiting == "" || len(waiting)+len(text) >= mostWaiting:
		return text
	case strings.Contains(waiting, text):
		return waiting
	}
	return waiting + " " + text
}
