// Package project puts embeddings and graphs on a plane for pictures: the two directions of
// largest variance (PCA), turned and mirrored from one frame to the next so that a
// picture moves only as far as the embedding does.
//
//	var p project.Projector
//	xy, share, err := p.Next(nil, embedding)
//
// A second way is t-SNE, which shows neighbourhoods in place of directions: see [TSNE]. The graph
// itself is drawn by its links: see [ForceDirected].
//
// Errors are a [*diag.Error] that names the node and the coordinate that is not finite in single precision, and those of the functions
// that are passed in. Wrong shapes panic with [ErrShape].
package project

import "cadem.example/core/base/diag"

// ErrShape is panicked when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "project: dimension mismatch"
