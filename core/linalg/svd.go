package linalg

// An SVD is the thin singular value decomposition L D R' of a matrix of Rows x Cols, Rows >=
// Cols, through a QR decomposition and one-sided Jacobi rotations.
type SVD struct {
	*QR      // the matrix goes into A, which is lost
	Singular []float64

	jacobi
}

// A Pause is called between parts of a longer work with the multiply-adds done since the last
// call. Its error ends the work and is returned. Nil never pauses.
type Pause func(work int) error

func (p Pause) after(work int) error {
	if p == nil {
		return nil
	}
	return p(work)
}

// NewSVD returns room for a matrix.
func NewSVD(rows, cols int) *SVD {
	return &SVD{QR: NewQR(rows, cols), Singular: make([]float64, cols), jacobi: newJacobi(cols)}
}

// Decompose decomposes the matrix in A. The singular values fall.
func (s *SVD) Decompose(pause Pause) error {
	if s.Rows < s.Cols {
		panic(ErrShape)
	}
	if err := s.QR.DecomposeIn(pause); err != nil {
		return err
	}
	s.load(s.QR)
	// Columns that are rounding noise beside the others would be rotated for ever.
	s.least = 0
	for _, x := range s.w {
		s.least += float64(x * x)
	}
	s.least *= 0x1p-100
	for range sweeps {
		turned := false
		for i := range s.d {
			turned = s.turn(i) || turned
			if err := pause.after(7 * (s.d - i) * s.d); err != nil {
				return err
			}
		}
		if !turned {
			break
		}
	}
	s.finish(s.Singular)
	return nil
}

// Left sets dst (Rows x n) to the first n left singular vectors, one a column; a vector whose
// singular value is 0 is 0.
func (s *SVD) Left(dst []float64, n int, pause Pause) error {
	if len(dst) != s.Rows*n || n > s.Cols {
		panic(ErrShape)
	}
	clear(dst)
	for c, j := range s.order[:n] {
		if s.norm[j] == 0 {
			continue
		}
		for k, x := range s.w[j*s.d : (j+1)*s.d] {
			dst[k*n+c] = x / s.norm[j]
		}
	}
	for k := s.Cols - 1; k >= 0; k-- {
		s.reflect(dst, n, k, 0, n)
		if err := pause.after(2 * (s.Rows - k) * n); err != nil {
			return err
		}
	}
	return nil
}

// Right sets dst (Cols x n) to the first n right singular vectors, one a column.
func (s *SVD) Right(dst []float64, n int) {
	if len(dst) != s.Cols*n || n > s.Cols {
		panic(ErrShape)
	}
	for c, j := range s.order[:n] {
		for k, x := range s.v[j*s.d : (j+1)*s.d] {
			dst[k*n+c] = x
		}
	}
}
