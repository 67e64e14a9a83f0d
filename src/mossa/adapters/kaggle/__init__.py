"""Kaggle's ConnectX: submissions as players here (drive), our players as submissions (serve)."""

from mossa.adapters.kaggle.archive import export
from mossa.adapters.kaggle.drive import KagglePlayer
from mossa.adapters.kaggle.serve import agent

__all__ = ["KagglePlayer", "agent", "export"]
