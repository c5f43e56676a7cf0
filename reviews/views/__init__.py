"""The screens. Each view checks the input, calls one method of the model and renders one template."""
