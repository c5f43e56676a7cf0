"""Pages of lists: by cursor, so that page 10,000 costs what page 1 costs and nothing is counted."""

from rest_framework.pagination import CursorPagination


class Pages(CursorPagination):
    """Newest first; ``page_size`` up to 200."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering: str | tuple[str, ...] = "-id"


class AnswerPages(Pages):
    """Answers have random ids, so their time orders them."""

    ordering = ("-created_at", "-id")
