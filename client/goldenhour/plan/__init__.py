"""Plans: a CSV file with one post a line, made once however often the import is started.

`rows` reads the file, `journal` remembers what was done, `carrying_out` does it. The command
`goldenhour import` shows them.
"""
