package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"cadem.example/core/lab/study"
)

// claimed is the part of the stored reports that ships with the page: the tested sentences of the paper, the test, and the date.
type claimed struct {
	Made    string        `json:"made"`
	Setting string        `json:"setting"`
	Claims  []study.Claim `json:"claims"`
}

const (
	board      = "docs/reproduced.md"
	verdicts   = "docs/length.md" // sentences of several seeds and lengths
	claimsFile = "www/claims.json"
)

var (
	claimLine = regexp.MustCompile(`^\* The paper says: (.+?)\. This (.+?): (.+)\.$`)
	madeLine  = regexp.MustCompile(`^Made on (\d{4}-\d\d-\d\d) by: `)
)

// readClaims reads a board, whose paragraphs and items are filled to some width.
func readClaims(text string) (*claimed, error) {
	c := &claimed{}
	text = strings.ReplaceAll(text, "\n* ", "\n\n* ")
	for part := range strings.SplitSeq(text, "\n\n") {
		part = strings.Join(strings.Fields(part), " ")
		if m := claimLine.FindStringSubmatch(part); m != nil {
			c.Claims = append(c.Claims, study.Claim{Says: m[1], Verdict: m[2], Because: m[3]})
		} else if m := madeLine.FindStringSubmatch(part); m != nil {
			c.Made = m[1]
		} else if strings.HasPrefix(part, "Preset ") {
			c.Setting = part
		}
	}
	if len(c.Claims) == 0 || c.Made == "" || c.Setting == "" {
		return nil, fmt.Errorf("%s: found %d sentences of the paper, made %q with %q, expected a board that cadem study reproduce -out wrote", board, len(c.Claims),
			c.Made, c.Setting)
	}
	return c, nil
}

// claimsOf returns the shipped part of the board.
func claimsOf(root string) ([]byte, error) {
	var text string
	for _, name := range []string{board, verdicts} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		text += string(b) + "\n\n"
	}
	c, err := readClaims(text)
	if err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(c, "", " ")
	return append(b, '\n'), err
}
