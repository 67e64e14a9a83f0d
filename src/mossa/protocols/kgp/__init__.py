"""The Kalah Game Protocol: our players on its servers (client), its agents as players here (drive).

Agents come to us over the network: `host` lets them in, `agent` is one of them as a player, `lobby`
seats them for a tournament.
"""
