from reviews.models.holding import Holding


class Settling(Holding):
    class Meta(Holding.Meta):
        abstract = True
