"""What figures that stand together come to: a remainder, a margin, a flow, a sum, a difference that has a name."""
