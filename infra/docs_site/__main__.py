"""`python -m infra.docs_site`: builds the site into `build/docs`, or into the folder named."""

import sys
from pathlib import Path

from infra.docs_site.building import PROJECT, build

if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build" / "docs")
