package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/scripts/build/builder"
)

// Every dependency has a version, a licence that may be passed on, and a reason.
func TestDependencies(t *testing.T) {
	root, err := builder.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	list, err := dependencies(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(reasons) {
		t.Errorf("%d dependencies, %d reasons", len(list), len(reasons))
	}
	for _, d := range list {
		if d.version == "" || d.licence == "" {
			t.Errorf("%+v", d)
		}
	}
}

// A finding is an error; a database that cannot be reached is none, and is said.
func TestAsk(t *testing.T) {
	for script, bad := range map[string]bool{
		"exit 0": false,
		"echo 'govulncheck: fetching vulnerabilities: Get \"https://x\": dial tcp: lookup x: no such host'; exit 1": false,
		"echo 'npm error audit endpoint returned an error'; exit 1":                                                 false,
		"echo 'Vulnerability #1: GO-2025-0001'; exit 3":                                                             true,
	} {
		if err := ask("it", t.TempDir(), "sh", "-c", script); (err != nil) != bad {
			t.Errorf("%s: %v", script, err)
		}
	}
	if err := ask("it", t.TempDir(), filepath.Join(t.TempDir(), "no such program")); err == nil {
		t.Error("a program that is not there and was not looked for is no error")
	}
}

func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if _, err := licenceIn(dir); err == nil || !strings.Contains(err.Error(), "without a licence file") {
		t.Errorf("no file: %v", err)
	}
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby\ngranted, free of charge, to": "MIT",
		"Neither the name of the holder":                                   "BSD-3-Clause",
		"GNU GENERAL PUBLIC LICENSE":                                       "",
	} {
		if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := licenceIn(dir); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
