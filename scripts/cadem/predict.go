package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/formats"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/cadem/console"
)

const aboutPredict = "Print the pairs of nodes that are most likely linked and are not, of every layer, as CSV: layer, source, target, score. All pairs are " +
	"looked at, so the time grows with the square of the number of nodes.\n\n" +
	"By evidence the score is a probability on the scale of links that are held out among four times as many other " +
	"pairs. The other scores are of neighbours in the union of the layers. \"cadem study evidence\" says how well each does on links held out."

// byEvidence is the first name of -by; the others are those of [links.NearWays].
const byEvidence = "evidence"

// studyLinks lists predicted links.
func (p *program) studyLinks(args []string) error {
	ways := []string{byEvidence}
	for _, name := range links.NearWays {
		ways = append(ways, strings.ReplaceAll(strings.ToLower(name), " ", "-"))
	}
	f := p.flags("study links", "-data NAME | -data FILE [FILE]...", aboutPredict)
	var data list
	f.Var(&data, "data", "an example's `name`, or a file")
	var choice formats.Choice
	f.choices(func(string) *formats.Choice { return &choice })
	top := f.Int("top", 100, "how many pairs of each layer, `K`")
	by := f.String("by", byEvidence, "what gives the score: `"+byEvidence+"`, "+strings.Join(ways[1:], ", "))
	seed := f.Uint64("seed", run.UsualSeeds.Model, "seed of the permutations and folds of evidence, `N`")
	out := f.String("out", "", "write them to `FILE`.csv")
	rest, err := f.parse(args)
	if err == nil {
		err = f.atLeastOne("top", *top)
	}
	if err == nil {
		err = p.writes("-out", *out, ".csv")
	}
	if err != nil {
		return err
	}
	way, names := slices.Index(ways, *by), append(data, rest...)
	switch {
	case way < 0:
		err = property.Unknown("-by", fmt.Sprintf("%q", *by), *by, ways)
	case way > 0:
		err = f.without(*by+" draws nothing", "seed")
	}
	switch {
	case err != nil:
	case len(names) == 0:
		err = misuse("study links: found no -data, expected %s", wantData())
	case isExample(names):
		err = f.without(names[0]+" is an example, not files", choiceNames...)
	}
	if err != nil {
		return err
	}
	j, err := p.named(names, nil, asked(choice), run.UsualSeeds.Data)
	if err == nil && !isExample(names) {
		err = idle(f.given(choiceNames...), chosen{choice, graphOf(j.files, nil)})
	}
	if err != nil {
		return err
	}
	progress := p.begin("predicting links")
	defer progress.End()
	text, err := predicted(j.data.Graph, way, *top, *seed, p.within(progress))
	if err != nil {
		return err
	}
	progress.End()
	if *out != "" {
		return console.WriteFile(*out, text)
	}
	_, err = p.stdout.Write(text)
	return err
}

// predicted writes the k best pairs of every layer: by evidence if way is 0, else by a way of [links.NearWays], from 1.
func predicted(g *multiplex.Graph, way, k int, seed uint64, within func(done, total int) error) ([]byte, error) {
	layers := g.Adjacencies()
	var score func(l, i, j int) float64
	if way > 0 {
		near, dst := links.Near(g.Layers)[way-1].Of, []float64{0}
		score = func(_, i, j int) float64 { return near(dst, i, j) }
	} else {
		o := evidence.Defaults()
		o.Permutations = max(o.Permutations, 20*g.N())
		found, err := evidence.Find(layers, o, evidence.Seeded(seed), within)
		if err != nil {
			return nil, err
		}
		score = found.Probability
	}
	var b bytes.Buffer
	b.WriteString(export.Line([]string{"layer", "source", "target", "score"}))
	done := 0
	for l, a := range layers {
		best, err := links.Predict(evidence.NewLayer(a), k, func(i, j int) float64 { return score(l, i, j) }, func(pairs int) error {
			done += pairs
			return within(done, len(layers)*g.M()*(g.M()+1)/2)
		})
		if err != nil {
			return nil, err
		}
		for _, p := range best {
			b.WriteString(export.Line([]string{export.Cell(g.Layers[l].Name), export.Cell(g.NodeName(p.I)), export.Cell(g.NodeName(p.J)),
				strconv.FormatFloat(p.Score, 'g', -1, 64)}))
		}
	}
	return b.Bytes(), nil
}
