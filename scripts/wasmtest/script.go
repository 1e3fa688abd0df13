package main

import (
	"errors"
	"os"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// scriptOf returns a script of the page as JavaScript: what is written in TypeScript without its types.
func scriptOf(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".ts") {
		return b, err
	}
	r := api.Transform(string(b), api.TransformOptions{Loader: api.LoaderTS, Sourcefile: path, Target: api.ES2022,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	if len(r.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return r.Code, nil
}
