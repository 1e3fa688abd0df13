package evidence_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// Every stage is that of the reference, given what the reference has of the stage before.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../../scripts/parity/testdata"), "core/cadem/evidence", map[string]int{
		"evidence/case1.json": 33593, "evidence/case2.json": 16918, "evidence/case3.json": 31397, "evidence/case4.json": 13879,
		"evidence/case5.json": 21940, "evidence/case6.json": 91199, "evidence/tables.json": 1973,
	})
}
