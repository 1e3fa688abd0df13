"""Disentangled embeddings of multiplex graphs. docs/python.md of the repository shows how this is used."""
from ._estimator import CaDeM, Error, Interrupted, compare, evidence, methods, study, tune

__all__ = ["CaDeM", "Error", "Interrupted", "compare", "evidence", "methods", "study", "tune"]
