package e2e

import (
	"embed"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"cadem.example/scripts/build/builder"
)

// Scripts that stand before those of the page or of its workers. TypeScript's compiler checks them with those of the page.
//
//go:embed scripts/*.ts
var scripts embed.FS

// sourceOf returns a file of scripts.
func sourceOf(name string) []byte {
	text, err := scripts.ReadFile("scripts/" + name + ".ts")
	if err != nil {
		panic(err)
	}
	return text
}

// scriptOf returns a file of scripts as JavaScript, to stand before a script of the site ([Site.Precede]).
func scriptOf(name string) string {
	r := api.Transform(string(sourceOf(name)), api.TransformOptions{Loader: api.LoaderTS, Format: api.FormatIIFE, Target: api.ES2022})
	if len(r.Errors) > 0 {
		panic(fmt.Sprint(name, ": ", r.Errors))
	}
	return string(r.Code)
}

// pageObjects is the script that has all that tests do and see on the page, by the name of a page object and its method
// (page/index.ts).
var pageObjects = sync.OnceValue(func() string {
	root, err := builder.FindRoot(".")
	if err != nil {
		panic(err)
	}
	r := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(root, "scripts/e2e/page/index.ts")}, Bundle: true, Format: api.FormatIIFE,
		GlobalName: "pageObjects", Target: api.ES2022})
	if len(r.Errors) > 0 {
		panic(fmt.Sprint(r.Errors))
	}
	return string(r.OutputFiles[0].Contents)
})
