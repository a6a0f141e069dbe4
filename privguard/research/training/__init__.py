"""Train the encoder: data, generated examples, the model, its loss and its loop."""
