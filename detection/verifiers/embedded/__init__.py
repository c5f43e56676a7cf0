"""The embedded verifier: features of words and a small fitted model."""
