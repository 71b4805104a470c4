"""A list of the API, read page by page or entry by entry. A page says itself how it goes on: by `next`, or by its number."""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, Generic, Iterator, Mapping, Optional, TypeVar

# The pause between two looks for events: two requests a second, 120 of the 500 a minute that a key has.
BETWEEN_LOOKS = 0.5

Page = TypeVar("Page")
Entry = TypeVar("Entry")


class Listing(Generic[Page, Entry]):
    """A list of the API: `page()` is the one page that was asked for; a `for` loop reads every entry to the end."""

    def __init__(self, ask: Callable[[Dict[str, Any]], Any], query: Mapping[str, Any], by: str) -> None:
        self._ask, self._by = ask, by
        self._from: Dict[str, Any] = {by: query.get(by)}

    def page(self) -> Page:
        page: Page = self._ask({})
        return page

    def pages(self) -> Iterator[Page]:
        """This page and all that follow."""
        turn: Optional[Dict[str, Any]] = self._from
        while turn is not None:
            page = self._ask(turn)
            yield page
            turn = self._turn_after(page, turn)

    def __iter__(self) -> Iterator[Entry]:
        page: Any
        for page in self.pages():
            yield from page["content"]

    def follow(self) -> Iterator[Page]:
        """Of events: the pages there are, and then those to come, without end. Keep `next` and go on there later."""
        turn = self._from
        while True:
            page = self._ask(turn)
            if page["content"]:
                yield page
            if page["next"] == turn.get(self._by) or not page["content"]:
                time.sleep(BETWEEN_LOOKS)
            turn = {self._by: page["next"]}

    def _turn_after(self, page: Any, before: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        if "next" in page:
            ended = page["next"] is None or page["next"] == before.get(self._by)
            return None if ended else {"page": None, self._by: page["next"]}
        number = page.get("page", 0)
        return {"page": number + 1} if page["content"] and number + 1 < page.get("totalPages", 0) else None
