"""Rank-k approximation of the union of layers by scipy.sparse.linalg.svds.

svds.py PAIRS NODES RANK FACTORS: PAIRS holds int32 pairs i, j of linked nodes, of all layers one after the other. FACTORS gets
U diag(s) and V, NODES x RANK each, row by row in float64. Prints the seconds of the decomposition, without input and output, and the version.
"""

import sys
import time

import numpy as np
import scipy
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import svds

pairs, nodes, rank, factors = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
i, j = np.fromfile(pairs, dtype="<i4").reshape(-1, 2).T
began = time.perf_counter()
union = coo_matrix((np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i])), shape=(nodes, nodes)).tocsr()
union.data[:] = 1
u, s, vt = svds(union, k=rank, v0=np.ones(nodes))
seconds = time.perf_counter() - began
with open(factors, "wb") as f:
    (u * s).astype("<f8").tofile(f)
    vt.T.astype("<f8").tofile(f)
print(seconds, scipy.__version__)
