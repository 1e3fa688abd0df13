package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/lab/run"
)

const aboutExample = "Write an example to files, as people have them. -bids writes the invented cohort as a folder of BIDS " +
	"derivatives: the series of every subject and task, their confounds, participants.tsv, a table of the regions and JSON files. " +
	"It opens in the page and in \"cadem study\" as a folder of your own does.\n\n" +
	"NAME is cohort. Unless -set says otherwise there are 24 subjects, 100 regions and 200 frames."

// example writes an example to files.
func (p *program) example(args []string) error {
	f := p.flags("example", "NAME", aboutExample)
	dir := f.String("bids", "", "the new or empty `FOLDER` to write to")
	seed := f.Uint64("data-seed", run.UsualSeeds.Data, "seed of what is drawn, `N`")
	var set list
	f.Var(&set, "set", "an option of the cohort, `name=value`: subjects, regions, frames, effect and so on")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	switch {
	case len(rest) != 1 || rest[0] != cohort.NameOfExample:
		return misuse("example: found %q, expected the name of one that can be written: %s", rest, cohort.NameOfExample)
	case *dir == "":
		return misuse("example: found no -bids, expected the folder to write to")
	}
	o := &cohort.Options{}
	property.Defaults(o)
	o.Subjects, o.Regions, o.Frames = 24, 100, 200
	settings, err := set.pairs()
	if err != nil {
		return err
	}
	for _, nv := range settings {
		if err := property.Set(o, nv[0], nv[1]); err != nil {
			return err
		}
	}
	c, err := cohort.New(o, *seed)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(*dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: found a folder with files, expected a new or an empty one", *dir)
	}
	progress := p.begin("writing")
	defer progress.End()
	files := 0
	err = c.BIDS(func(name, text string) error {
		path := filepath.Join(*dir, filepath.FromSlash(name))
		files++
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		return errors.Join(p.interrupted(), err, p.write("-bids", path, []byte(text)))
	})
	if err == nil {
		progress.End()
		_, err = fmt.Fprintf(p.stdout, "%d files in %s: %d subjects in %d tasks, %d regions, %d frames. All of it is invented.\n", files, *dir, c.Options.Subjects,
			len(cohort.Conditions), c.Options.Regions, c.Options.Frames)
	}
	return err
}
