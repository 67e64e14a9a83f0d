"""Kaggle's ConnectX: submissions as players here (drive)."""

from mossa.adapters.kaggle.drive import KagglePlayer

__all__ = ["KagglePlayer"]
