// Package evidence finds directions that the layers of a sparse graph without features share, and each layer's own.
//
// A direction of the nodes is shared when it is estimated without layer l and still explains links of layer l; private when it is
// estimated from some of the layer's links and explains others of the same layer, beside what is shared.
//
//	result, err := evidence.Find(layers, evidence.Defaults(), evidence.Seeded(1), nil)
//	result.S         // M x rank: where nodes are in what is shared
//	result.P[l]      // M x any: where they are in what is layer l's own
//
// A_l is symmetric, of zeros and ones; d_l are its degrees, m_l counts its links; M nodes, N layers. The steps:
//
//	     L_U, func(U, R)     the operator of a set of layers, and its leading functions     functions.go
//	1    sources             functions that never saw a layer                               gate.go
//	2    statistic           the evidence W H W of functions in a layer, permutations       statistic.go, tails.go
//	3, 4 gate, directions    which layers share, and by which functions                     gate.go
//	5    S                   where the validated functions of all layers agree              basis.go
//	6    profile             which layers carry each direction                              profile.go
//	7    strengths           by links that were held out                                    strength.go
//	8    P_l                 what a layer has beside S                                      private.go
//	9    tail                what predicts links beside S                                   tail.go
//	10   embedding           S = F_S diag(w)^1/2, P_l = F_P diag(|s|)^1/2                    evidence.go
//	     link probability    a logistic of the rates that S, the tail and P give            probability.go
//
// The test needs an overlap of functions with a layer ten times less than what the noise edge of the layer alone asks for; only the
// estimate of functions needs a graph above the threshold of detection, which other layers may be together.
//
// Errors are those of the pauses and functions that are passed in, returned as they come; [Layers] alone refuses data. Wrong shapes
// panic with [ErrShape].
//
// Nothing holds a matrix of M x M unless M is small, and the cost is linear in the links. Results have the same bits on every machine.
package evidence
