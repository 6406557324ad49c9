"""Releases on this machine, served over https with a certificate that only those trust who are given it."""

from __future__ import annotations

import hashlib
import ssl
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self


class ReleaseServer:
    """Serves the newest release.

    Attributes:
        address: Where boxes look for releases.
        certificate: The file with its certificate, for curl's CURL_CA_BUNDLE.
    """

    def __init__(self, folder: Path) -> None:
        """Listen on a free port of this machine, with the release in a folder."""
        self._served = folder / "served"
        self._served.mkdir(parents=True)
        self.certificate, key = folder / "certificate.pem", folder / "key.pem"
        command: list[str | Path] = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        command += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        subprocess.run([*command, "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(self._served)))
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = f"https://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def publish(self, sources: Path, *, damaged: bool = False) -> None:
        """Make these sources the newest release, whose address is this one; `damaged` gives a wrong checksum."""
        (sources / "address").write_text(f"{self.address}\n")
        archive = self._served / "cantstop-box-9.9.9-pi.tar.gz"
        subprocess.run(["tar", "-czf", archive, "-C", sources.parent, sources.name], check=True)
        digest = hashlib.sha256(b"" if damaged else archive.read_bytes()).hexdigest()
        listed = f"{'0' * 64}  cantstop-box-9.9.9-card.zip\n{digest}  {archive.name}\n"
        (self._served / "SHA256SUMS").write_text(listed)


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""
