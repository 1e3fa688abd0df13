package e2e

import (
	"fmt"
	"testing"

	"cadem/scripts/e2e/drive"
)

// brief are options under which the experiments are over in a moment, "" those of all others.
var brief = map[string]map[string]any{
	"":         {"epochs": 1},
	"gamma":    {"epochs": 1, "nodes": 60},
	"table5":   {"epochs": 1, "subjects": 4, "regions": 60, "frames": 300},
	"identify": {"epochs": 1, "subjects": 4, "regions": 60},
	"regions":  {"epochs": 1, "subjects": 2, "regions": 60},
}

// TestReports runs every experiment of the catalogue, as shortly as it goes, and opens its
// report; it then breaks a report, whose card says so while the run on the page goes on untouched.
func TestReports(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner && document.querySelector('[data-study=regions]')")
		v.Give("#open-files", firm...)
		v.Until("document.querySelector('#data-summary').textContent.includes('firm') && " + untouch)
		v.Until("document.querySelector('[data-study=table6] .figures').textContent.startsWith('1 model seed, firm_multiplex.edges')")
		v.Enter(".orders [name=seeds]", "1")
		v.Enter(".orders [name=data_seeds]", "1")
		// The form has no option for this: orders are made short on their way to the engine.
		v.Read(nil, `const brief = args[0], ask = cadem.pool.ask;
cadem.pool.ask = (kind, body, ...rest) => ask.call(cadem.pool, kind, body.order ?
	{...body, order: {...body.order, options: brief[body.order.study] ?? brief['']}} : body, ...rest);`, brief)
		var studies []string
		v.Read(&studies, "return [...document.querySelectorAll('[data-study]')].map(e => e.dataset.study)")
		if len(studies) < 13 {
			t.Fatalf("the page has the experiments %q", studies)
		}
		for _, name := range studies {
			card := fmt.Sprintf("[data-study=%s]", name)
			v.Push(card + " .primary")
			v.Until(fmt.Sprintf(`document.querySelector('%s .report').children.length || document.querySelector('%[1]s .problem').textContent`, card))
			var shown struct {
				Problem        string
				Prose          int
				Images, Loaded int
				Tables, Cells  int
			}
			v.Read(&shown, `const c = document.querySelector(args[0]), images = [...c.querySelectorAll('.report img')];
const loaded = await Promise.all(images.map(i => i.decode().then(() => i.naturalWidth > 0, () => false)));
return {problem: c.querySelector('.problem').textContent, prose: c.querySelectorAll('.report .prose').length, images: images.length,
	loaded: loaded.filter(Boolean).length,
  tables: c.querySelectorAll('.report table').length, cells: c.querySelectorAll('.report td').length};`, card)
			if shown.Problem != "" || shown.Prose == 0 || shown.Loaded != shown.Images || shown.Images+shown.Tables == 0 || shown.Tables > 0 && shown.Cells == 0 {
				t.Errorf("%s: %+v", name, shown)
			}
			v.Want(card, "task")
		}
		v.Check()

		before := v.Text("#status")
		v.Read(nil, `const ask = cadem.pool.ask;
cadem.pool.ask = (kind, ...rest) => kind === 'report' ? Promise.reject(Object.assign(new Error('This report cannot be made.'), {code: 'internal'})) :
	ask.call(cadem.pool, kind, ...rest);`)
		v.Read(nil, "document.querySelector('[data-study=tsne] [aria-expanded=true]').click()")
		v.Read(nil, "document.querySelector('[data-study=tsne] [aria-expanded=false]').click()")
		v.Until("document.querySelector('[data-study=tsne] .problem').textContent === 'This report cannot be made.'")
		if after := v.Text("#status"); after != before {
			t.Errorf("the status said %q and says %q", before, after)
		}
		if text := v.Text("#messages"); text != "" {
			t.Errorf("the page says %q", text)
		}
	})
}
