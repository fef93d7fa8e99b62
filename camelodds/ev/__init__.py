"""What is it worth? The expected value of every action and of all that is held. It knows nothing of how it is shown."""
