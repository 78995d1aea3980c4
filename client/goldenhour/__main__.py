"""`python -m goldenhour`: the command, for when its script is not on the path."""

from goldenhour.command.main import main

main()
