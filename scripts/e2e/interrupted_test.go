package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestInterruptedRun interrupts a training on the command line and goes on with it in the page,
// exports it there, and goes on with that on the command line.
func TestInterruptedRun(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		program := filepath.Join(dir, "cadem")
		build := exec.Command("go", "build", "-o", program, "./scripts/cadem")
		build.Dir = root(t)
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		// interrupt stops a training that would take hours, once it says how far it is, and returns
		// the step after which it did.
		interrupt := func(args ...string) (step int) {
			t.Helper()
			c := exec.Command(program, append([]string{"train"}, args...)...)
			said, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			last := ""
			for s, told := bufio.NewScanner(said), false; s.Scan(); last += s.Text() + "\n" {
				if !told {
					told = true
					if err := c.Process.Signal(os.Interrupt); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = c.Wait() // it ends with 130
			m := regexp.MustCompile(`interrupted after step (\d+) of`).FindStringSubmatch(last)
			if m == nil {
				t.Fatalf("it said %q", last)
			}
			fmt.Sscan(m[1], &step)
			return step
		}
		file := filepath.Join(dir, "run.zip")
		step := interrupt("-data", "syn1", "-set", "epochs=100000", "-set", "hidden=16", "-out", file)

		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("cadem.state().owner")
		v.Give("#import-run", file)
		v.Until(fmt.Sprintf("cadem.state().phase === 'paused' && cadem.state().step === %d", step))
		v.Push("#step")
		v.Until(fmt.Sprintf("cadem.state().phase === 'paused' && cadem.state().step === %d && cadem.state().pending === 0", step+1))
		v.Push("#export-run")
		run := download(t, v, "*run.zip")
		v.Check()
		if err := os.WriteFile(file, run, 0o644); err != nil {
			t.Fatal(err)
		}
		if again := interrupt("-resume", file); again <= step {
			t.Errorf("it went on from step %d to %d", step+1, again)
		}
	})
}
