"""Pages of lists: by cursor, so that page 10,000 costs what page 1 costs and nothing is counted."""

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    """Newest first; ``page_size`` up to 200."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering: str | tuple[str, ...] = "-id"

    def get_page_size(self, request: Request) -> int:
        """The number of rows that is asked for, as far as it goes. Raises :class:`ValidationError` for what is no number."""
        given = request.query_params.get(self.page_size_query_param, str(self.page_size))
        if not (given.isascii() and given.isdigit() and int(given[:9])):
            raise ValidationError({self.page_size_query_param: "Give a whole number from 1 on."})
        return min(int(given[:9]), self.max_page_size)


class AnswerPages(Pages):
    """Answers have random ids, so their time orders them."""

    ordering = ("-created_at", "-id")
