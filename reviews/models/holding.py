from reviews.models.record import ReviewRecord


class Holding(ReviewRecord):
    class Meta(ReviewRecord.Meta):
        abstract = True
