

import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/fail":
            try:
                raise ValueError("the server of python fails")
            except ValueError as error:
                sentry_sdk.capture_exception(error)
        self.send_response(200)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
