// Package tape differentiates functions of matrices in reverse mode. A method records the
// operations of one step, which computes their values at once, and then asks for the gradient
// of a single number:
//
//	t := tape.New[float64]()
//	w := tape.NewParam[float64]("W", 3, 2)
//	for range steps {
//		t.Reset()
//		loss := t.Sum(t.ReLU(t.Mul(t.Constant(4, 3, x), t.Param(w))))
//		t.Backward(loss) // w.Grad holds the derivative of loss by w.Value
//	}
//
// Matrices are dense and row-major; a vector is a matrix of one row. Sparse matrices are
// constants ([Operator], [Pattern]). Parameters live outside the tape. Every operation stands
// beside its derivative; those of one loss are fused where the intermediate matrices would be
// large. Shapes are checked when an operation is recorded, and a wrong one panics with [ErrShape].
//
// The memory of a step serves the next one: after the first, a step with operations of the same
// shapes allocates nothing. Products and sums have a fixed order, and exponentials and logarithms
// are those of core/base/kernel, so a step gives the same bits on every machine.
package tape

import "cadem.example/core/base/diag"

// ErrShape is the panic value when the shapes of the operands do not fit together.
const ErrShape diag.Misuse = "tape: dimension mismatch"

// ErrScalar is the panic value when the gradient of something else than a single number is asked for.
const ErrScalar diag.Misuse = "tape: the gradient is that of a 1 x 1 matrix"
