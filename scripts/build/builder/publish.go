package builder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A built folder knows its own files from others by siteName, which lists them,
// and by stampName, without which the list does not count.
const (
	siteName  = "build.json"
	stampName = ".stamp"
	partName  = ".stamp.part" // a file that is being written
)

// unfinished is in the stamp while files of two builds are in the folder.
const unfinished = "unfinished"

// stamped matches what a build writes as its stamp: the digest of its inputs, or unfinished.
var stamped = regexp.MustCompile(`^([0-9a-f]{64}|` + unfinished + `)\n$`)

// Foreign says whether dir is a folder with files in it that no build made.
func Foreign(dir string) bool { return len(foreign(dir)) > 0 }

// foreign lists what is in dir, unless a build made dir.
func foreign(dir string) []string {
	stamp, err := os.ReadFile(filepath.Join(dir, stampName))
	if err == nil && stamped.Match(stamp) {
		return nil
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		if e.Name() != partName { // all that a first build leaves when it ends too soon
			names = append(names, e.Name())
		}
	}
	return names
}

// usable returns an error if a site cannot be built into the absolute path dist without harm to
// what is there.
func usable(dist string) error {
	const expected = "(expected a new or an empty folder, or one that was built here)"
	info, err := os.Lstat(dist)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link %s", dist, expected)
	case !info.IsDir():
		return fmt.Errorf("%s is a file %s", dist, expected)
	}
	if names := foreign(dist); len(names) > 0 {
		return fmt.Errorf("%s holds what was not built here, %s %s", dist, brief(names), expected)
	}
	return nil
}

// brief joins the first few of some names.
func brief(names []string) string {
	if n := len(names) - 3; n > 1 {
		names = append(slices.Clone(names[:3]), fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

// publish brings the folder dist to the given files and leaves alone what no build put there; it
// lists the latter. At no time is a file there that build.json does not list, so a build
// that was interrupted is cleared up by the next one. Files named by their contents come
// first and the old ones go last: a page that is open goes on working.
func publish(dist, inputs string, site *Site, files map[string][]byte) (kept []string, err error) {
	if err := usable(dist); err != nil { // again, because building takes a while
		return nil, err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return nil, err
	}
	release, err := Hold(dist)
	if err != nil {
		return nil, err
	}
	defer release()
	root, err := os.OpenRoot(dist) // no link in it leads out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	old := owned(root)
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		if r := rank(a) - rank(b); r != 0 {
			return r
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if err := free(root, name, old[name]); err != nil {
			return nil, err
		}
	}

	both := *site
	both.Sizes = maps.Clone(site.Sizes)
	for name := range old {
		if _, ok := files[name]; !ok {
			both.Sizes[name] = Size{}
		}
	}
	if err := put(root, stampName, []byte(unfinished+"\n")); err != nil {
		return nil, err
	}
	if err := put(root, siteName, both.encode()); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := put(root, name, files[name]); err != nil {
			return nil, err
		}
	}
	for name := range old {
		if _, ok := files[name]; !ok {
			if err := take(root, name); err != nil {
				return nil, err
			}
		}
	}
	if err := put(root, siteName, site.encode()); err != nil {
		return nil, err
	}
	if err := put(root, stampName, []byte(inputs+"\n")); err != nil {
		return nil, err
	}
	return others(root, files)
}

// Hold waits until no build changes a folder, and keeps others from it until release is called.
func Hold(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := flock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return func() { f.Close() }, nil
}

// owned returns the names of the files that builds have put into the folder.
func owned(root *os.Root) map[string]bool {
	names := map[string]bool{}
	stamp, err := root.ReadFile(stampName)
	if err != nil || !stamped.Match(stamp) {
		return names
	}
	b, err := root.ReadFile(siteName)
	var site Site
	if err != nil || json.Unmarshal(b, &site) != nil {
		return names
	}
	for name := range site.Sizes {
		if filepath.IsLocal(filepath.FromSlash(name)) {
			names[name] = true
		}
	}
	return names
}

// free returns an error if something that no build made, or a link, is in the way of a file; own
// says that a build made a file of that name.
func free(root *os.Root, name string, own bool) error {
	for dir := name; dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case dir == name && own && info.Mode().IsRegular(), dir != name && info.IsDir():
		default:
			return fmt.Errorf(
				"%s was not built here, and is in the way of the site's %s: move it elsewhere",
				filepath.Join(root.Name(), filepath.FromSlash(dir)),
				name,
			)
		}
	}
	return nil
}

// rank orders what is written: last what leads to the rest.
func rank(name string) int {
	switch {
	case Hashed(name):
		return 0
	case slices.Contains(pages, name) || name == "sw.js":
		return 2
	default:
		return 1
	}
}

// put writes a file whole or not at all.
func put(root *os.Root, name string, b []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	if err := root.WriteFile(partName, b, 0o644); err != nil {
		return err
	}
	return root.Rename(partName, name)
}

// take removes a file that a build made, unless something else is there by now, and the folders
// that it leaves empty.
func take(root *os.Root, name string) error {
	if free(root, name, true) != nil {
		return nil
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "." && root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// others lists what is in the folder beside the files, without what is in folders of its own.
func others(root *os.Root, files map[string][]byte) ([]string, error) {
	ours := map[string]bool{".": true, siteName: true, stampName: true}
	for name := range files {
		for ; !ours[name]; name = path.Dir(name) {
			ours[name] = true
		}
	}
	var list []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || ours[name] {
			return err
		}
		list = append(list, name)
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return list, err
}

// encode returns the content of siteName.
func (s *Site) encode() []byte {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(b, '\n')
}

// mediaTypes are the media types that a system's own table may lack or get wrong.
var mediaTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".gz":          "application/gzip",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// MediaType returns the type of a file of the site by its name's ending.
func MediaType(name string) string {
	if t := mediaTypes[path.Ext(name)]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// Policy is the content security policy of the site: it may load from its own
// origin only, frame pages of it, compile WebAssembly, and make script addresses through the
// Trusted Types policy "cadem" alone. Its pages carry it in a meta element,
// because a static host sends no headers. The page makes its workers of Blobs, which take the policy
// over; a worker from an address would have none there.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; frame-src 'self'; " +
	"style-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types cadem"

// HeaderPolicy is Policy with the directive that counts only in a header: pages of the same origin alone may frame those of the site.
const HeaderPolicy = Policy + "; frame-ancestors 'self'"

// Connections is the value of Connection-Allowlist, a header that confines what Policy has no directive for, WebRTC above all, to the
// site's own origin. Chromium heeds it from version 152 on, Firefox and WebKit do not know it.
const Connections = "(response-origin)"
