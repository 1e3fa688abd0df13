// Package linalg holds the decompositions that results depend on: a QR decomposition, and through
// it and one-sided Jacobi rotations the singular values, vectors and polar factor of a tall matrix;
// and eigenvalues and vectors of symmetric matrices, all of a small one or the leading few of one that is
// known by its products. All is summed in one order and without fused products, so the bits are the
// same on every machine; those of gonum's decompositions are not.
//
// Matrices are slices with their rows one after the other. Errors are those of the functions that are passed in, which end the work and
// are returned as they come. Wrong shapes panic with [ErrShape].
package linalg

import "cadem.example/core/base/diag"

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "linalg: dimension mismatch"
