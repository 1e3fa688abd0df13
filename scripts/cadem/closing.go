package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// grace is how long work may take to see a signal: a step of a large training takes longer.
const grace = time.Second

// A closing decides who ends the program after a signal: the work, when it sees it, or else hurry.
type closing struct {
	turn    atomic.Int32 // 0 until it is decided; then byWork or byHurry
	rescue  atomic.Pointer[func() error]
	writing sync.RWMutex // a file
}

const (
	byWork = 1 + iota
	byHurry
)

// over is called by the work before its last part, which is short: keeping and printing what there
// is. It does not return where hurry does that.
func (c *closing) over() {
	if !c.turn.CompareAndSwap(0, byWork) && c.turn.Load() == byHurry {
		select {}
	}
}

// rescues sets what keeps the work that was done by now, beside work that goes on.
func (c *closing) rescues(f func() error) { c.rescue.Store(&f) }

// hurry ends the program some time after a signal, in the middle of a step if need be.
func (p *program) hurry() {
	time.Sleep(grace)
	if !p.turn.CompareAndSwap(0, byHurry) {
		return
	}
	err := error(errInterrupted)
	if rescue := p.rescue.Load(); rescue != nil {
		err = (*rescue)()
	} else {
		fmt.Fprintln(p.stderr, "interrupted")
	}
	p.writing.Lock() // no file is left half written
	os.Exit(status(err, p.stderr))
}
