"""How does a table or a board look? Colours, HTML, terminal, pictures. It knows no answer and no rule."""
