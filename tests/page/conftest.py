"""One box with its page for all tests of a file: no test needs it as it was at the start."""

from __future__ import annotations

import pytest

from tests.page.helpers import Table, page_process, until


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """A box, and its page in a process of its own."""
    with Table(tmp_path_factory.mktemp("box")) as table:
        table.show("choosing")
        with page_process(table.file) as web:
            until(lambda: web.ask("GET", "/api/events")[0] == 200, "the box")
            yield table, web


@pytest.fixture
def table(box):
    """The box, at a choice and without presses."""
    table, web = box
    table.show("choosing")
    # A test before may have used up what a stranger may ask: the answer then has no state.
    until(lambda: web.ask("GET", "/api/events")[2].get("state") == "Choosing", "the choice")
    table.told.inputs.clear()
    return table


@pytest.fixture
def web(box, table):
    """The box's page."""
    return box[1]


@pytest.fixture
def key(table, web):
    """The key of a paired phone."""
    return table.pair(web)
