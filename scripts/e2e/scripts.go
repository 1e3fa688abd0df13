package e2e

import (
	"embed"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// Browser scripts longer than a few lines are in files, which TypeScript's compiler checks with those of the page.
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

// scriptOf returns a file of scripts as JavaScript. Its exports are in a variable of the given name, if that is not empty.
func scriptOf(name, variable string) string {
	r := api.Transform(string(sourceOf(name)), api.TransformOptions{Loader: api.LoaderTS, Format: api.FormatIIFE, GlobalName: variable, Target: api.ES2022})
	if len(r.Errors) > 0 {
		panic(fmt.Sprint(name, ": ", r.Errors))
	}
	return string(r.Code)
}

// beforeWorker returns a script that is to stand before that of the workers ([Site.Precede]).
func beforeWorker(name string) string { return scriptOf(name, "") }

// Call calls the function that a file of scripts exports in the page, and reads what it returns.
func (v *Visit) Call(into any, name string, arg ...any) {
	v.t.Helper()
	v.Read(into, scriptOf(name, "script")+"return script.default(...args)", arg...)
}
