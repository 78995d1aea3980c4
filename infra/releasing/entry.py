"""The command `goldenhour-server`, as the service's wheel has it.

`run` starts what `make run` starts; every other command is one of `python -m chalicelib`. The
service lies in a folder of its own beside this file, so that none of its names (`app`,
`chalicelib`, `infra`) can be another package's. Its data are kept in the person's data folder
(`XDG_DATA_HOME`) unless GOLDENHOUR_DATA_DIR names another.
"""

import os
import runpy
import sys
from pathlib import Path

SERVICE = Path(__file__).parent / "service"


def main() -> None:
    """Carry out what the command line asks for."""
    os.environ.setdefault("GOLDENHOUR_COMMAND", "goldenhour-server")
    os.environ.setdefault("GOLDENHOUR_DATA_DIR", str(_data_folder()))
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SERVICE), *([inherited] if inherited else [])])
    sys.path.insert(0, str(SERVICE))
    program = "chalicelib"
    if sys.argv[1:2] == ["run"]:
        del sys.argv[1]
        program = "chalicelib.local"
    runpy.run_module(program, run_name="__main__", alter_sys=True)


def _data_folder() -> Path:
    named = os.environ.get("XDG_DATA_HOME")
    return Path(named or Path.home() / ".local" / "share") / "goldenhour"


if __name__ == "__main__":
    main()
