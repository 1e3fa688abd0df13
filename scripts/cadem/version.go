package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"cadem.example/core/base/kernel"
)

// version says what this program is: what matters for its bits and its speed.
func (p *program) version(args []string) error {
	f := p.flags("version", "", "Print the version, the Go version and build tags, and the kernels in use.")
	if err := f.nothing(args); err != nil {
		return err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	_, err := fmt.Fprint(p.stdout, versionText(info))
	return err
}

// versionText describes a build.
func versionText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := info.Main.Version
	if version == "" || version == "(devel)" || strings.HasPrefix(version, "v0.0.0-") {
		version = "development version" // the commit says which
	}
	if commit := settings["vcs.revision"]; commit != "" {
		version += ", commit " + commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			version += " with changes"
		}
	}
	tags := settings["-tags"]
	if tags == "" {
		tags = "none"
	}
	text := fmt.Sprintf("cadem %s\n%s, %s/%s\nkernels: %s\ntags: %s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		kernel.Kind(), strings.ReplaceAll(tags, ",", ", "))
	if runtime.GOARCH == "amd64" && !strings.Contains(runtime.Version(), "simd") {
		text += "Built without GOEXPERIMENT=simd it has no vector kernels and takes several times longer: build it with make cadem.\n"
	}
	if !strings.Contains(","+tags+",", ",noasm,") {
		text += "Built without the tag noasm its last digits may differ from the page's: build it with make cadem.\n"
	}
	return text
}
