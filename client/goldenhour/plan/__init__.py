"""Plans: a sheet with one post a line, made once however often the import is started.

`spoken/rows` reads it, `journal` remembers what was done, `carrying_out` does it. The command
`goldenhour import` shows them.
"""
