package e2e

import (
	"strings"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestExpectation reads what to look for: it stands there for the settings of an example and for
// those of a thing to try, and for no others. What happened is told by the scores of the run.
func TestExpectation(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("document.querySelector('#verdict li')")
		v.Want("#expect", "You should see: The common embedding starts as one cloud")
		v.Want("#verdict", "the common embedding on shared most", "private 1 (0.95")
		v.Load(Small.Link())
		v.Until(untouch + " && cadem.state().epochs === 12")
		v.Until("document.querySelector('#expect').textContent.startsWith('These are not the settings of the example')")
		if text := v.Text("#verdict"); text != "" {
			t.Errorf("without scores the page says %q", text)
		}
		v.Finish()
		v.Until("document.querySelector('#verdict li')")
		if text := v.Text("#expect"); strings.Contains(text, "You should see") {
			t.Errorf("with other settings the page says %q", text)
		}
		// A thing to try brings its own sentence above the pictures.
		v.Read(nil, "[...document.querySelectorAll('#try button')].find(b => b.textContent === 'Nothing in common').click()")
		v.Until("document.querySelector('#expect').textContent.includes('3 x 3 x 3')")
		v.Check()
	})
}

// TestFormulas shows the formulas that the options of a preset mean.
func TestFormulas(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		shown := func() (list []string) {
			v.Read(&list, `return [...document.querySelectorAll('.terms [data-option]')].filter(e => !e.hasAttribute('hidden')).map(e => `+
				`e.dataset.option + '=' + e.dataset.is)`)
			return list
		}
		released, printed := "matching=mean matching=mean combine=add pairing=permutation",
			"average=all pairing=all combine=concat combine=concat combine=concat pairing=all"
		if got := strings.Join(shown(), " "); got != released {
			t.Errorf("released: %s, want %s", got, released)
		}
		v.Read(nil, "document.querySelector('input[name=preset][value=printed]').click()")
		v.Until("cadem.settings().preset === 'printed'")
		if got := strings.Join(shown(), " "); got != printed {
			t.Errorf("printed: %s, want %s", got, printed)
		}
		v.Enter("#options-pairing", "sampled:3")
		v.Until("cadem.settings().options.pairing === 'sampled:3'")
		v.Want(".term[data-term=causal]", "a few graphs drawn at random")
		v.Check()
	})
}
