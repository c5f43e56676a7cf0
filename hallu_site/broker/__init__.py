"""The embedded broker: messages between web and workers as rows of the product's own database."""
