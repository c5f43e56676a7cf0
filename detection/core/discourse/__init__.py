"""What a sentence does in an answer before anything in it is checked: it asserts, or it leads in, refers, abstains,
closes, advises, or says the question again. Words are in the lexicons, table ``discourse``."""

from detection.core.discourse.absence import Absence, absence
from detection.core.discourse.acts import Act, Stretch, act, stretches

__all__ = ["Absence", "Act", "Stretch", "absence", "act", "stretches"]
