package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	silence  = 2 * time.Second        // at the start: short work says nothing
	redraw   = 250 * time.Millisecond // of the line on a terminal
	interval = 10 * time.Second       // between lines elsewhere
	narrow   = 79                     // characters of the line on a terminal: wrapped, it could not be rewritten
)

// A Progress prints on standard error how much of long work is done and how long the rest will take: in
// one line that is rewritten on a terminal, elsewhere by a line now and then. Its methods may be
// called from several goroutines.
type Progress struct {
	out  io.Writer
	live bool // a terminal
	now  func() time.Time

	lock        sync.Mutex
	what        string // the part of the work; "" before the first and after the last
	detail      string
	done, total int
	had         int       // of done, without work
	began       time.Time // the part
	told        time.Time // last
	shown       bool      // a line is on the terminal
	stop        chan struct{}
}

// NewProgress returns a Progress that writes to out.
func NewProgress(out io.Writer) *Progress {
	return &Progress{out: out, live: isTerminal(out), now: time.Now}
}

// isTerminal reports whether people look at what is written.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Begin begins a part of the work. Work that says nothing more shows for how long it has been
// going on.
func (p *Progress) Begin(what string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.what, p.detail, p.done, p.total, p.had = what, "", 0, 0, 0
	p.began = p.now()
	p.told = p.began
	if p.stop != nil {
		return
	}
	p.stop = make(chan struct{})
	go func(stop chan struct{}) {
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				p.lock.Lock()
				p.show()
				p.lock.Unlock()
			}
		}
	}(p.stop)
}

// Tell notes what is done of the part. Detail, which may be "", stands beside.
func (p *Progress) Tell(done, total int, detail string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done, p.total, p.detail = done, total, detail
}

// Had notes that this part of the work took no time, so it does not count in the estimate of the
// rest.
func (p *Progress) Had(done int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.had += done
}

// Say writes a line of another kind.
func (p *Progress) Say(format string, values ...any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.clear()
	fmt.Fprintf(p.out, format+"\n", values...)
}

// End ends the work, and takes the line from the terminal.
func (p *Progress) End() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.clear()
	p.what = ""
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
}

func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

// show writes how far the part is, if it is time to. A write that fails is not worth the end
// of the work.
func (p *Progress) show() {
	now := p.now()
	if p.what == "" || now.Sub(p.began) < silence {
		return
	}
	line := p.line(now.Sub(p.began))
	if p.live {
		if r := []rune(line); len(r) > narrow {
			line = string(r[:narrow])
		}
		fmt.Fprint(p.out, "\r\x1b[K"+line)
		p.shown = true
		return
	}
	if p.told.Equal(p.began) || now.Sub(p.told) >= interval {
		p.told = now
		fmt.Fprintln(p.out, line)
	}
}

// line says how far the part is after so long.
func (p *Progress) line(elapsed time.Duration) string {
	s := p.what
	if p.total > 0 {
		s += fmt.Sprintf(": %d %%", 100*p.done/p.total)
	}
	if p.detail != "" {
		s += ", " + p.detail
	}
	if fresh := p.done - p.had; fresh > 0 && p.total > 0 {
		left := time.Duration(float64(elapsed) * float64(p.total-p.done) / float64(fresh))
		return s + ", " + Duration(left) + " left"
	}
	return s + ", for " + Duration(elapsed)
}

// Duration writes a time in words: "40 s", "3 min 20 s", "2 h 5 min".
func Duration(d time.Duration) string {
	s := int((d + time.Second/2) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s/60%60)
}
