// Package frozen asks a trained model why and what if. Its encoders are linear, so every number of C_l and P_l is a sum over links and
// features; so is S, with the whitening held fixed:
//
//	C_l,i = sum_j sum_f  b_ij x_jf U_f  + b,     P_l likewise,     S_i = sum_l C_l,i K - mean K
//
// where S = T K and T = sum_l C_l less its means; K (d x d) is the whitening of the polar factor. With the power target Z_l'(C_l -
// means) K takes the place of U_l K. A [Model] holds a training's maps, [Model.Why] lists the parts of a place, and [Model.With] is the
// model of a graph with other links or features: places are then those of a forward pass.
//
// Inputs that were trimmed and split are linear in Z = B X, too, as long as what was found is held: the directions J that the layers
// share, the map R of each layer from Z to its directions, the means mu, and the map H of the hop. With Q = B X R U - 1 mu' a part is
//
//	direct   B X W                        nothing is split
//	shared   J J'Q                        the common part
//	own      (I - J J') Q                 the private part
//	hopped   J J'B (I - J J') Q, W = R H U    what the hop adds to it
//
// These are dense sums over all nodes. The residual of the iteration that found the directions is a term of its own. A split by
// evidence has L_l in place of B, and eigenvectors in place of X.
//
// R of all layers together, which package baseline finds without training, is such a sum, too: [Pooled].
//
// The sum is exact. It is not an explanation of training: weights and whitening are those that training ended with, and a link with a
// large contribution need not be the cause of anything.
package frozen
