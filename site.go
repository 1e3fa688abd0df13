package main

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cadem.example/scripts/build/builder"
)

// maxSite bounds what is held in memory.
const maxSite = 512 << 20

// An asset is one file of the site, ready to send.
type asset struct {
	typ   string
	tag   string // strong validator
	cache string // Cache-Control
	plain []byte
	gz    []byte // nil where compression gains nothing
}

// A site answers from memory. It read the folder once, and only plain files
// below it: no request can reach another path, a link or a hidden file, and a
// build that runs meanwhile does not mix two versions.
type site struct {
	assets map[string]*asset // by path below the root, without the leading slash
	local  bool              // bound to loopback: only loopback names may address it
}

// newSite reads the folder dir, which has to hold an index.html.
func newSite(dir string, local bool) (*site, error) {
	s := &site{assets: map[string]*asset{}, local: local}
	files, total := map[string][]byte{}, 0
	release, err := builder.Hold(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(d.Name(), ".") && p != dir; hidden && d.IsDir() {
			return filepath.SkipDir
		} else if hidden || !d.Type().IsRegular() {
			return nil
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		if total += int(fi.Size()); total > maxSite {
			return fmt.Errorf("%s holds more than %d MB: that is no site", dir, maxSite>>20)
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, b := range files {
		s.assets[name] = newAsset(name, b, files[name+".gz"])
	}
	if s.assets["index.html"] == nil {
		return nil, fmt.Errorf("%s holds no index.html", dir)
	}
	return s, nil
}

// hand serves the file of a run beside the page, under a name that nobody guesses: every user of this machine can ask the server. It returns
// the end of the address at which the page opens the run.
func (s *site) hand(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	name := rand.Text()
	a := newAsset("run.zip", b, nil)
	a.cache = "no-store"
	s.assets["runs/"+name+".zip"] = a
	return "?run=" + name, nil
}

// newAsset makes an asset of the file's contents and of those of its
// compressed twin, if it has one.
func newAsset(name string, b, twin []byte) *asset {
	sum := sha256.Sum256(b)
	a := &asset{typ: builder.MediaType(name), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, cache: "no-cache", plain: b}
	if builder.Hashed(name) {
		a.cache = "public, max-age=31536000, immutable"
	}
	if !unpacksTo(twin, b) {
		twin = compress(b)
	}
	if len(twin) < len(b)*9/10 {
		a.gz = twin
	}
	return a
}

// unpacksTo says whether gz is b compressed.
func unpacksTo(gz, b []byte) bool {
	r, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return false
	}
	got, err := io.ReadAll(io.LimitReader(r, int64(len(b))+1))
	return err == nil && bytes.Equal(got, b)
}

func compress(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a bytes.Buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", builder.HeaderPolicy)
	h.Set("Connection-Allowlist", builder.Connections)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if s.local && !loopbackName(r.Host) {
		// Another site's name that resolves to this machine would make the page part of that site.
		http.Error(w, "this server answers to loopback names only", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, "/")
	if ok && (name == "" || strings.HasSuffix(name, "/")) {
		name += "index.html"
	}
	a := s.assets[name]
	if !ok || a == nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	h.Set("Content-Type", a.typ)
	h.Set("Cache-Control", a.cache)
	body, tag := a.plain, a.tag
	if a.gz != nil {
		h.Set("Vary", "Accept-Encoding")
		if r.Header.Get("Range") == "" && acceptsGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body, tag = a.gz, strings.TrimSuffix(a.tag, `"`)+`-gz"`
		}
	}
	h.Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// loopbackName says whether a Host header names this machine.
func loopbackName(host string) bool {
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		host = h
	} else if errors.As(err, new(*net.AddrError)) {
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return loopback(strings.ToLower(host))
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(header string) bool {
	for _, part := range strings.Split(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, ok := strings.CutPrefix(strings.TrimSpace(weight), "q=")
			v, err := strconv.ParseFloat(q, 64)
			return !ok || (err == nil && v > 0)
		}
	}
	return false
}
