package console

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// clocked returns a Progress without a clock of its own: pass lets time pass.
func clocked(live bool) (p *Progress, out *bytes.Buffer, pass func(time.Duration)) {
	out = &bytes.Buffer{}
	p = NewProgress(out)
	now := time.Unix(0, 0)
	p.live, p.now = live, func() time.Time { return now }
	p.what, p.began, p.told = "training", now, now
	return p, out, func(d time.Duration) {
		now = now.Add(d)
		p.show()
	}
}

func TestProgressInLines(t *testing.T) {
	p, out, pass := clocked(false)
	p.Tell(10, 100, "step 10 of 100")
	pass(1900 * time.Millisecond)
	if out.Len() > 0 {
		t.Errorf("within two seconds it says %q", out)
	}
	pass(100 * time.Millisecond)
	p.Tell(20, 100, "step 20 of 100")
	for range 9 {
		pass(time.Second)
	}
	if want := "training: 10 %, step 10 of 100, 18 s left\n"; out.String() != want {
		t.Errorf("it says %q, expected %q", out, want)
	}
	out.Reset()
	pass(time.Second)
	if want := "training: 20 %, step 20 of 100, 48 s left\n"; out.String() != want {
		t.Errorf("it says %q, expected %q", out, want)
	}
	out.Reset()
	p.Had(15) // of the 20
	pass(10 * time.Second)
	if want := "training: 20 %, step 20 of 100, 5 min 52 s left\n"; out.String() != want {
		t.Errorf("it says %q, expected %q", out, want)
	}
	p.End()
	out.Reset()
	pass(time.Hour)
	if out.Len() > 0 {
		t.Errorf("after the end it says %q", out)
	}
}

func TestProgressOnATerminal(t *testing.T) {
	p, out, pass := clocked(true)
	pass(3 * time.Second)
	p.Tell(1, 2, strings.Repeat("x", 200))
	pass(time.Second)
	p.Say("a line of %s", "another kind")
	pass(time.Second)
	p.End()
	parts := strings.Split(out.String(), "\r\x1b[K")
	if len(parts) != 6 || parts[1] != "training, for 3 s" || utf8.RuneCountInString(parts[2]) != narrow || parts[3] != "a line of another kind\n" ||
		parts[5] != "" {
		t.Errorf("%q", parts)
	}
}

// Work that tells nothing is seen to go on.
func TestProgressByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock is not the machine's
		out := &bytes.Buffer{}
		p := NewProgress(out)
		p.Begin("reading")
		time.Sleep(silence - time.Millisecond)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("within %v it says %q", silence, out)
		}
		time.Sleep(redraw)
		synctest.Wait()
		if want := "reading, for 2 s\n"; out.String() != want {
			t.Errorf("it says %q, expected %q", out, want)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := "reading, for 59 min 52 s\nreading, for 1 h 0 min\n"; !strings.HasSuffix(out.String(), want) {
			t.Errorf("it says %q, expected %q at the end", out, want)
		}
		p.End()
	})
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 s", 59400 * time.Millisecond: "59 s", 59600 * time.Millisecond: "1 min 0 s",
		3599 * time.Second: "59 min 59 s", 2*time.Hour + 5*time.Minute: "2 h 5 min"} {
		if got := Duration(d); got != want {
			t.Errorf("%v is %q, expected %q", d, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	long := strings.Repeat("word ", 60) + strings.Repeat("x", 130) + " end\n\n  next ± line"
	text := Fill(long, "  ")
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > Columns && !strings.HasPrefix(line, "  xxx") {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	if strings.Join(strings.Fields(text), " ") != strings.Join(strings.Fields(long), " ") || !strings.HasSuffix(text, "\n\n  next ± line") ||
		strings.Count(text, "\n") < 5 {
		t.Errorf("%q", text)
	}
}

func TestTable(t *testing.T) {
	rows := [][]string{{"table", "embedding", "target"}, {"I", "common", "α"}, {"I", "private_1", "final"}, {"I", "", "x"}}
	for k := range 20 {
		rows[0] = append(rows[0], strings.Repeat("t", k+1))
		for i := range rows[1:] {
			rows[i+1] = append(rows[i+1], []string{"0.123", "1.5", ""}[i])
		}
	}
	text := Table(rows)
	titles := 0
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(line) - 1; n > Columns || strings.HasSuffix(line, " \n") {
			t.Errorf("a line of %d characters: %s", n, line)
		}
		if strings.HasPrefix(line, "embedding  target") {
			titles += len(strings.Fields(line)) - 2
		}
	}
	if !strings.HasPrefix(text, "In all rows: table I.\n\n") || titles != 20 || strings.Count(text, "private_1  final ") < 2 {
		t.Errorf("%s", text)
	}
}

func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(dir, "a.zip"):         "",
		filepath.Join(dir, "A.ZIP"):         "",
		filepath.Join(dir, "a.csv"):         "ends in .zip",
		filepath.Join(dir, "none", "a.zip"): "no such file or directory",
		dir:                                 "which is a folder",
	} {
		err := CheckOutput("-out", name, ".zip")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, expected %q", name, err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	if os.Getuid() == 0 {
		t.Skip("root writes to every folder")
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := CheckOutput("-out", filepath.Join(dir, "a.zip")); err == nil {
		t.Error("a folder that is read only was taken")
	}
}

// A result replaces no file that is read, by whatever path either is named.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll("deep/er", 0o755))
	must(os.WriteFile("in.zip", []byte("in"), 0o644))
	must(os.WriteFile("other.zip", []byte("in"), 0o644))
	must(os.Symlink("in.zip", "link.zip"))
	must(os.Symlink("link.zip", "chain.zip"))
	must(os.Symlink("deep/er", "short"))
	must(os.Symlink("../../in.zip", "deep/er/up.zip"))
	must(os.Symlink("short/../../in.zip", "crooked.zip"))
	must(os.Link("in.zip", "hard.zip"))
	must(os.Symlink("later.zip", "before.zip")) // to what is not there yet
	must(os.Symlink("round.zip", "round.zip"))
	for _, name := range []string{"in.zip", "./in.zip", filepath.Join(dir, "in.zip"), "deep/../in.zip", "short/../../in.zip", "link.zip", "chain.zip",
		"short/up.zip", "crooked.zip", "hard.zip"} {
		for _, other := range []string{"in.zip", "chain.zip", filepath.Join(dir, "short", "up.zip")} {
			err := CheckApart("-out", name, "none.zip", other)
			want := "-out: found " + name + ", which is " + other + " and would be replaced, expected another file"
			if err == nil || err.Error() != want {
				t.Errorf("%s over %s: %v, expected %q", name, other, err, want)
			}
		}
	}
	for _, name := range []string{"other.zip", "new.zip", "short/in.zip"} {
		if err := CheckApart("-out", name, "in.zip", "none.zip", "round.zip"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckApart("-out", "before.zip", "later.zip"); err == nil {
		t.Error("two paths of a file that is not there yet are taken for two files")
	}
	if err := CheckApart("-out", "round.zip"); err == nil || !strings.Contains(err.Error(), "links") {
		t.Errorf("a link to itself: %v", err)
	}
}

// A result goes where a link leads, whole or not at all, and leaves the link and the permissions.
func TestWriteThroughLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("kept", 0o755), os.WriteFile("kept/a.zip", []byte("before"), 0o600), os.Symlink("kept/a.zip", "a.zip"),
		os.Symlink("a.zip", "b.zip"), os.Symlink("kept/new.zip", "new.zip"), os.Symlink("gone/x.zip", "x.zip")); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"b.zip": "kept/a.zip", "new.zip": "kept/new.zip"} {
		if err := errors.Join(CheckOutput("-out", name), WriteFile(name, []byte(name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", name, err)
		}
		if info, err := os.Lstat(to); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %v", to, err)
		}
		if data, err := os.ReadFile(to); err != nil || string(data) != name {
			t.Errorf("%s holds %q (%v)", to, data, err)
		}
	}
	if info, err := os.Stat("kept/a.zip"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a private file became %v (%v)", info.Mode(), err)
	}
	if err := CheckOutput("-out", "x.zip"); err == nil {
		t.Error("a link into a folder that is not there is taken")
	}
	if left, err := filepath.Glob("*/.cadem-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// A result may not replace anything but a file.
func TestOutputToADevice(t *testing.T) {
	if err := CheckOutput("-o", os.DevNull); err == nil || !strings.Contains(err.Error(), "device") {
		t.Error(err)
	}
}
