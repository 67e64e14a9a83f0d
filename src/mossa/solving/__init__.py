"""Exact solutions and what they leave behind: books, studies, tables, certificates."""
