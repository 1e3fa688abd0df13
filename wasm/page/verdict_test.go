package page

import (
	"regexp"
	"strings"
	"testing"
)

// The sentences hold what the rows say, whatever they say.
func TestVerdict(t *testing.T) {
	const learned = `[
	{"embedding":"common","target":"shared","metric":"nmi","value":0.1,"untrained":0.9,"probe":0},
	{"embedding":"common","target":"shared","metric":"ari","value":0.919,"untrained":0.032,"probe":1},
	{"embedding":"common","target":"private_1","metric":"ari","value":0.291,"untrained":0.017,"probe":0.953},
	{"embedding":"private_1","target":"shared","metric":"ari","value":0.266,"untrained":0.27,"probe":0.337},
	{"embedding":"private_1","target":"private_1","metric":"ari","value":0.178,"untrained":0.178,"probe":0.224}]`
	for _, c := range []struct{ rows, want string }{
		{learned, `ARI of the common embedding on shared .* 0\.03 to 0\.92\.\|[^|]*no ARI of the private [^|]*\|` +
			`[^|]*shared \(1\.00, at most 0\.34\), private 1 \(0\.95, at most 0\.22\)\.`},
		{`[{"embedding":"common","target":"final","metric":"macro_f1","value":0.5,"untrained":0.6,` +
			`"probe":0.2},{"embedding":"private_2","target":"final","metric":"macro_f1","value":0.9,"untrained":0.6,"probe":0.4}]`,
			`Macro-F1 of the common embedding on final .* 0\.60 to 0\.50\.\|[^|]*private 2 [^|]*on final [^|]*0\.60 to 0\.90\.`},
		{`[{"embedding":"common","target":"final","metric":"macro_f1"}]`, "^"},
		{`[]`, "^"},
	} {
		if got := strings.Join(verdict(read[[]score](t, c.rows)), "|"); !regexp.MustCompile(c.want + "$").MatchString(got) {
			t.Errorf("%s\nsays %q\nwant %q", c.rows, got, c.want)
		}
	}
}
