package page

import (
	"strings"
	"testing"
)

// An announcement that waits is not lost to the next one, and many do not pile up.
func TestAnnouncementsWaitTogether(t *testing.T) {
	for _, c := range []struct{ waiting, text, want string }{
		{"", "Link copied.", "Link copied."},
		{"The link could not be copied.", "Paused.", "The link could not be copied. Paused."},
		{"Paused.", "Paused.", "Paused."},
		{strings.Repeat("x", mostWaiting), "Paused.", "Paused."},
	} {
		if got := together(c.waiting, c.text); got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.text, c.waiting, got, c.want)
		}
	}
}
