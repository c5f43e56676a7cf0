"""How one figure lies to others: how far it moved, what place it has, in how many periods it keeps a bound."""
