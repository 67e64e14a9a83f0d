"""The board in the browser: a small server that knows the rules, and pages that do not.

The pages ask for positions and send moves as JSON over HTTP; one WebSocket per page carries
whatever takes time: the computer's thinking, hints, analysis. Games are kept in an SQLite file, so
neither a reload nor a restart loses one. Needs the extra ``web``.
"""
