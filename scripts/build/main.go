// Command build makes the static site in dist/, ready for any static host:
//
//	go run ./scripts/build [-dir dist]
//
// It builds only what is stale, reports the sizes a first visit pays for, and
// fails when one is over its budget.
package main

import (
	"flag"
	"fmt"
	"os"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

func main() {
	f := flag.NewFlagSet("build", flag.ExitOnError)
	dir := f.String("dir", "dist", "folder to build into")
	if code, ok := console.ParseFlags(f, os.Args[1:], os.Stdout, os.Stderr); !ok {
		os.Exit(code)
	}
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	root, err := builder.FindRoot(".")
	if err != nil {
		return err
	}
	site, err := builder.Ensure(builder.Options{Root: root, Dist: dir, Log: os.Stderr})
	if err != nil {
		return err
	}
	fmt.Print(site.Report())
	over := site.Check()
	if over != nil && !site.Binding() {
		fmt.Fprintf(os.Stderr, "build: %v; it is compiled with %s, for which the budgets were not made\n", over, site.Go)
		return nil
	}
	return over
}
