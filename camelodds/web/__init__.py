"""What can be tapped? The page on the phone and its server, which knows no number of its own.

`server` takes requests and checks them, `api` answers them, `page` is what a browser gets.
"""
