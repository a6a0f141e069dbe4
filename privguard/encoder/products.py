"""Matrix products on the thread that asks for them.

numpy hands a product to a BLAS, and that spreads a large one over all cores, whatever `PRIVGUARD_THREADS` says. For the
matrices of the need head this wins nothing, and on a busy machine its threads wait for each other at the cost of
everybody else. OpenBLAS, which comes with numpy, keeps a product of up to 2**18 multiplications on the calling thread
(`SMP_THRESHOLD_MIN * GEMM_MULTITHREAD_THRESHOLD` in its interface/gemm.c), so products are taken in blocks of rows.
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

MOST = 2**18  # multiplications of one block
_LEAST_ROWS = 2  # a single row goes another way, which is spread from some thousand multiplications on


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Multiply `(m, k)` by `(k, n)`; the result is `(m, n)`."""
    rows = len(left)
    if rows == 1:
        return product(np.repeat(left, _LEAST_ROWS, axis=0), right)[:1]
    most = max(_LEAST_ROWS, MOST // max(1, left.shape[1] * right.shape[1]))
    if rows <= most:
        return left @ right
    blocks = []
    for start in range(0, rows, most):
        low = min(start, rows - _LEAST_ROWS)  # a last single row takes the one before it along
        blocks.append((left[low : start + most] @ right)[start - low :])
    return np.concatenate(blocks)
