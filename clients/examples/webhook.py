import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from overturn import SignatureError, verify_webhook


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, os.environ["OVERTURN_WEBHOOK_SECRET"])
        except SignatureError as error:
            print(error, flush=True)
            self.send_response(400)
        else:
            if event["type"] == "claim.status_changed":
                print(event["data"]["claim"]["claim_number"], event["data"]["claim"]["status"], flush=True)
            self.send_response(204)
        self.end_headers()


HTTPServer(("127.0.0.1", 3000), Hook).serve_forever()
