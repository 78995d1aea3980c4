"""No module needs, by whatever way round, a module that needs it: imports for types count too."""

from graphlib import TopologicalSorter

import grimp


def test_imports_make_no_circle() -> None:
    graph = grimp.build_graph("chalicelib", exclude_type_checking_imports=False)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    TopologicalSorter(needs).prepare()  # raises CycleError, which names the circle
