"""Which library PyTorch multiplies matrices with."""
import torch


def version():
    """PyTorch's version and that library; None where it is the reference implementation, which nobody would compare with."""
    torch.ones(64, 64) @ torch.ones(64, 64)
    if torch.backends.mkl.is_available():
        return torch.__version__ + " with MKL"
    with open("/proc/self/maps") as f:
        loaded = f.read().lower()
    for name in ("OpenBLAS", "BLIS", "ATLAS"):
        if name.lower() in loaded:
            return f"{torch.__version__} with {name}"
    return None


if __name__ == "__main__":
    print(version())
