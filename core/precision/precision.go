package precision

import "cadem/core/diag"

// Check tells whether this build trains in the precision. The error is a [*diag.Error].
func Check(double bool) error {
	if double && !Double {
		return diag.Option("precision", "64", "32: the page trains in single precision; double precision is for the command line")
	}
	return nil
}
