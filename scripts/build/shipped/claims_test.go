package main

import (
	"bytes"
	"os"
	"testing"
)

// The page and the stored board agree on three sentences of the paper.
func TestClaimsAreThoseOfTheBoard(t *testing.T) {
	want, err := claimsOf("../../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../" + claimsFile)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from %s (%v): run go run ./scripts/build/shipped -claims", claimsFile, board, err)
	}
	c, err := readClaims("# Board\n\nPreset released, 5 seeds.\n\n* The paper says: a is\n  b. This holds here: c is\n  0.5.\n* Other.\n\n" +
		"Made on 2026-01-02 by: x\n")
	if err != nil || len(c.Claims) != 1 || c.Claims[0].Says != "a is b" || c.Claims[0].Verdict != "holds here" || c.Claims[0].Because != "c is 0.5" ||
		c.Made != "2026-01-02" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := readClaims("nothing"); err == nil {
		t.Error("a text without any was read")
	}
}
