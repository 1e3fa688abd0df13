package builder

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// treeOf returns all that is below dir: names with contents, and of links where they lead.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			all[name+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			all[name], err = os.Readlink(path)
		default:
			all[name] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// TestRefusesWhatItDidNotMake names places where a site would replace something: nothing changes.
func TestRefusesWhatItDidNotMake(t *testing.T) {
	o := plant(t)
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, name) }
	for name, text := range map[string]string{
		"file": "mine", "thesis/thesis.txt": "mine", "stamped/.stamp": "mine", "stamped/a.txt": "mine", "listed/build.json": `{"sizes": {"a.txt": {}}}`,
		"listed/a.txt": "mine",
		"built/.stamp": strings.Repeat("0", 64) + "\n", "built/a.txt": "mine", "many/a": "", "many/b": "", "many/c": "", "many/d": "", "many/e": "",
	} {
		write(t, at(name), text)
	}
	if err := os.Mkdir(at("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for to, name := range map[string]string{"file": "to-file", "empty": "to-empty", "built": "to-built", "nowhere": "to-nowhere", ".": "up"} {
		link(t, to, at(name))
	}
	before := treeOf(t, top)
	for name, want := range map[string]string{
		"file": "is a file", "to-file": "is a symbolic link", "to-empty": "is a symbolic link", "to-empty/": "is a symbolic link",
		"to-built": "is a symbolic link", "to-nowhere": "is a symbolic link",
		"thesis": "not built here, thesis.txt (", "up/thesis": "not built here, thesis.txt (", "up/file": "is a file",
		"stamped": "not built here, .stamp, a.txt (", "listed": "not built here", "file/below": "not a directory",
		"many": "not built here, a, b, c, 2 more (", "": "not built here", "thesis/..": "not built here",
	} {
		o.Dist = top + string(filepath.Separator) + name
		if _, err := Ensure(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
		if after := treeOf(t, top); !maps.Equal(before, after) {
			t.Fatalf("%q: %v became %v", name, before, after)
		}
	}
}

// TestKeepsWhatWasAdded rebuilds a site to which somebody added files.
func TestKeepsWhatWasAdded(t *testing.T) {
	o := plant(t)
	site, err := Ensure(o)
	if err != nil {
		t.Fatal(err)
	}
	added := map[string]string{"CNAME": "site.example", ".nojekyll": "", ".git/HEAD": "ref: refs/heads/pages", "finished/mine.json": "[]"}
	for name, text := range added {
		write(t, filepath.Join(o.Dist, name), text)
	}
	write(t, filepath.Join(o.Root, "www/app.ts"), "console.log('other')\n")
	write(t, filepath.Join(o.Root, "www/new/note.txt"), "a file of a folder of its own")
	var log bytes.Buffer
	o.Log = &log
	next, err := Ensure(o)
	if err != nil {
		t.Fatal(err)
	}
	if want := "kept what was not built here: .git, .nojekyll, CNAME, finished/mine.json\n"; !strings.HasSuffix(log.String(), want) {
		t.Errorf("said %q, expected %q at the end", log.String(), want)
	}
	wantSite(t, o.Dist, next, added)
	if got, err := next.Contents(o.Dist); err != nil || got["CNAME"] != nil || got["index.html"] == nil || len(got) != len(next.Sizes)+1 {
		t.Errorf("the contents are %v, %v", slices.Collect(maps.Keys(got)), err)
	}

	// Files that the site lost go, with their folder, whoever put something beside it.
	if err := os.RemoveAll(filepath.Join(o.Root, "www/new")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Root, "www/app.ts"), "console.log('another')\n")
	if next, err = Ensure(o); err != nil {
		t.Fatal(err)
	}
	wantSite(t, o.Dist, next, added)
	if _, err := os.Stat(filepath.Join(o.Dist, "new")); err == nil {
		t.Error("an empty folder is left of a file that the site has no more")
	}

	// The site gets a file of a name that somebody took.
	write(t, filepath.Join(o.Dist, "notes.txt"), "mine")
	write(t, filepath.Join(o.Root, "www/notes.txt"), "of the page")
	before := treeOf(t, o.Dist)
	if _, err := Ensure(o); err == nil || !strings.Contains(err.Error(), "notes.txt was not built here") {
		t.Errorf("got %v", err)
	}
	if after := treeOf(t, o.Dist); !maps.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
	if next.Version == site.Version {
		t.Error("the versions are the same")
	}
}

// TestLinksInTheSite rebuilds a site in which somebody replaced files and folders by links: their targets do not change.
func TestLinksInTheSite(t *testing.T) {
	inputs := strings.Repeat("0", 64)
	for _, c := range []struct {
		name string // replaced
		to   string
		ok   bool
	}{
		{"deep/b.txt", "../../mine/b.txt", false},
		{"deep", "../mine", false},
		{"deep", "own", false},
		{"gone/c.txt", "../../mine/b.txt", true},
		{"gone", "../mine", true},
		{"gone", "own", true},
	} {
		t.Run(c.name+" to "+c.to, func(t *testing.T) {
			top := t.TempDir()
			dist := filepath.Join(top, "dist")
			write(t, filepath.Join(top, "mine/b.txt"), "mine")
			write(t, filepath.Join(top, "mine/c.txt"), "mine")
			if _, err := publish(dist, inputs, &Site{Sizes: map[string]Size{"deep/b.txt": {}, "gone/c.txt": {}}},
				map[string][]byte{"deep/b.txt": []byte("1"), "gone/c.txt": []byte("1")}); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dist, "own/b.txt"), "mine")
			write(t, filepath.Join(dist, "own/c.txt"), "mine")
			if err := os.RemoveAll(filepath.Join(dist, c.name)); err != nil {
				t.Fatal(err)
			}
			link(t, c.to, filepath.Join(dist, c.name))
			_, err := publish(dist, inputs, &Site{Sizes: map[string]Size{"deep/b.txt": {}}}, map[string][]byte{"deep/b.txt": []byte("2")})
			if (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
			for _, name := range []string{"mine/b.txt", "mine/c.txt", "dist/own/b.txt", "dist/own/c.txt"} {
				if got := read(t, top, name); got != "mine" {
					t.Errorf("%s holds %q", name, got)
				}
			}
			if to, err := os.Readlink(filepath.Join(dist, c.name)); err != nil || to != c.to {
				t.Errorf("the link leads to %q, %v", to, err)
			}
		})
	}
}

// A version of a site of many files; one in three comes with it alone.
func version(n int) (*Site, map[string][]byte) {
	site, files := &Site{Version: fmt.Sprint(n), Sizes: map[string]Size{}}, map[string][]byte{}
	for i := range 150 {
		name := fmt.Sprintf("part/%d.txt", i)
		if i%3 == 0 {
			name = fmt.Sprintf("part%d/%d.txt", n, i)
		}
		files[name] = fmt.Appendf(nil, "%d of version %d", i, n)
		site.Sizes[name] = Size{Bytes: len(files[name])}
	}
	return site, files
}

// TestInterrupted kills builds while they write. The next one finds its way, and nobody's files are lost.
func TestInterrupted(t *testing.T) {
	inputs := strings.Repeat("0", 64)
	if dist := os.Getenv("CADEM_PUBLISH_INTO"); dist != "" { // the build that is killed
		site, files := version(2)
		if _, err := publish(dist, inputs, site, files); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Run("before the first file has its name", func(t *testing.T) {
		dist := t.TempDir()
		write(t, filepath.Join(dist, partName), "unf")
		site, files := version(1)
		if _, err := publish(dist, inputs, site, files); err != nil {
			t.Fatal(err)
		}
		wantSite(t, dist, site, nil)
	})
	for _, at := range []string{"", ".stamp", "part/50.txt", "part2/75.txt", "part2/147.txt"} {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("at %q, after a build: %v", at, before), func(t *testing.T) {
				dist := filepath.Join(t.TempDir(), "dist")
				added := map[string]string{}
				if before {
					site, files := version(1)
					if _, err := publish(dist, inputs, site, files); err != nil {
						t.Fatal(err)
					}
					added = map[string]string{"CNAME": "site.example", "part/mine.txt": "mine"}
					for name, text := range added {
						write(t, filepath.Join(dist, name), text)
					}
				}
				c := exec.Command(os.Args[0], "-test.run=^TestInterrupted$")
				c.Env = append(os.Environ(), "CADEM_PUBLISH_INTO="+dist)
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- c.Wait() }()
				for waiting := true; waiting; time.Sleep(100 * time.Microsecond) {
					_, err := os.Stat(filepath.Join(dist, at))
					stamp, _ := os.ReadFile(filepath.Join(dist, stampName))
					select {
					case <-ended:
						ended <- nil
						waiting = false
					default:
						waiting = err != nil || (before && string(stamp) == inputs+"\n")
					}
				}
				_ = c.Process.Kill() // unless it has ended
				<-ended
				stamp, _ := os.ReadFile(filepath.Join(dist, stampName))
				t.Logf("killed while the stamp was %q", stamp)

				site, files := version(3)
				kept, err := publish(dist, inputs, site, files)
				if err != nil {
					t.Fatal(err)
				}
				if len(kept) != len(added) {
					t.Errorf("took %v for something that was not built here", kept)
				}
				wantSite(t, dist, site, added)
			})
		}
	}
}

// wantSite fails the test unless the folder holds the files of the site and those that were added, and no others.
func wantSite(t *testing.T, dist string, site *Site, added map[string]string) {
	t.Helper()
	want := map[string]bool{siteName: true, stampName: true}
	for name := range site.Sizes {
		want[name] = true
	}
	for name, text := range added {
		want[name] = true
		if got := read(t, dist, name); got != text {
			t.Errorf("%s holds %q, expected %q", name, got, text)
		}
	}
	all := treeOf(t, dist)
	for name := range all {
		if !want[filepath.ToSlash(name)] && !strings.HasSuffix(name, "/") {
			t.Errorf("%s is left behind", name)
		}
	}
	for name := range want {
		if _, ok := all[filepath.FromSlash(name)]; !ok {
			t.Errorf("%s is lost", name)
		}
	}
}

// Builds into one folder at once come one after the other, and who holds the folder sees the whole site of one of them.
func TestBuildsAtOnce(t *testing.T) {
	dist, inputs := t.TempDir(), strings.Repeat("0", 64)
	var builds sync.WaitGroup
	for n := range 2 {
		builds.Go(func() {
			for range 3 {
				site, files := version(n)
				if _, err := publish(dist, inputs, site, files); err != nil {
					t.Error(err)
				}
			}
		})
	}
	over := make(chan bool)
	go func() {
		builds.Wait()
		close(over)
	}()
	for done := false; !done; {
		select {
		case <-over:
			done = true
		default:
		}
		release, err := Hold(dist)
		if err != nil {
			t.Fatal(err)
		}
		if stamp, err := os.ReadFile(filepath.Join(dist, stampName)); err == nil {
			n := 0
			if _, err := os.Stat(filepath.Join(dist, "part1")); err == nil {
				n = 1
			}
			if string(stamp) != inputs+"\n" {
				t.Errorf("the stamp is %q", stamp)
			}
			site, files := version(n)
			wantSite(t, dist, site, nil)
			for name, b := range files {
				if got := read(t, dist, name); got != string(b) {
					t.Fatalf("%s holds %q, expected %q", name, got, b)
				}
			}
		}
		release()
	}
}
