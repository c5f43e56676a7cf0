"""Everything that was judged, to read: the list of all answers (S7), remembered facts, audited traces."""
