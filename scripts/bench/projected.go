package main

import (
	"fmt"
	"io"

	"cadem/scripts/bench/epochs"
)

// projectedMethods are those that table6 has in lite settings on a graph of ACM's size, as official ones would take hours there.
var projectedMethods = []string{"mne", "hdmi", "mvgrl", "graphmae", "dmg", "mcgc"}

// A projection tells from a few steps what a training would take natively, on one processor.
type projection struct {
	Method string  `json:"method"`
	First  float64 `json:"first_s"` // the first step of every network, with what prepares it
	Step   float64 `json:"step_s"`  // of one network thereafter
	Steps  int     `json:"steps"`   // of all networks
	Hours  float64 `json:"hours"`   // of all steps, if none stops early
}

// project takes the first steps of methods with official settings on a graph of ACM's size.
func (b *bench) project() error {
	const least = 5 // seconds of steps after the first
	g, err := epochs.Open("papers")
	if err != nil {
		return err
	}
	for _, method := range projectedMethods {
		b.say("first steps of %s on %s", method, graphNames["papers"])
		p := projection{Method: method}
		err := b.native.on(1, true, func() error {
			t, err := epochs.Official(method, g)
			if err != nil {
				return err
			}
			began, n := processorSeconds(), g.N()
			for range n {
				if err := t.Step(nil); err != nil {
					return err
				}
			}
			prepared, taken := processorSeconds(), 0
			for taken < n || processorSeconds()-prepared < least {
				if err := t.Step(nil); err != nil {
					return err
				}
				taken++
			}
			p.Steps = t.Progress().Total
			p.First = prepared - began
			p.Step = (processorSeconds() - prepared) / float64(taken)
			p.Hours = round((p.First + p.Step*float64(p.Steps-n)) / 3600)
			p.First, p.Step = round(p.First), round(p.Step)
			return nil
		})
		if err != nil {
			return fmt.Errorf("first steps of %s: %w", method, err)
		}
		b.full.Projected = append(b.full.Projected, p)
	}
	return nil
}

func (b *bench) writeProjected(w io.Writer) {
	writef(w, "\n| method | first steps, s | a step, s | steps | projected, h |\n|---|---:|---:|---:|---:|\n")
	for _, p := range b.full.Projected {
		writef(w, "| %s | %g | %g | %d | %g |\n", p.Method, p.First, p.Step, p.Steps, p.Hours)
	}
}
