"""The page on the phone: `server` takes requests and checks them, `api` answers them, `page` is what a browser gets."""
