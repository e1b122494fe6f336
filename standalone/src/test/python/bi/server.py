"""Superset in a home of its own, on a port of its own."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ADMIN = "admin"
_SECONDS = 600
_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")

# What its reader is told to add
_ADDED = Path(__file__).resolve().parents[5] / "docs/use/clients/superset_config.py"

_CONFIG = """
SECRET_KEY = {key!r}
SQLALCHEMY_DATABASE_URI = "sqlite:///{home}/superset.db?check_same_thread=false"
# On a machine that does much else
SQLLAB_TIMEOUT = 240
SUPERSET_WEBSERVER_TIMEOUT = 240
"""


class Superset:
    """A context: it runs from its start to its end, and leaves no process. Needs an empty directory."""

    def __init__(self, home):
        self.home = Path(home)
        self.password = secrets.token_urlsafe()
        self._server = None

    def __enter__(self):
        config = self.home / "superset_config.py"
        own = _CONFIG.format(key=secrets.token_urlsafe(42), home=self.home)
        config.write_text(_ADDED.read_text() + own)
        temporary = self.home / "tmp"
        temporary.mkdir()
        self._environment = {
            # These go before the certificate of a connection
            **{name: value for name, value in os.environ.items() if name not in _BUNDLES},
            "TMPDIR": str(temporary),
            "SUPERSET_CONFIG_PATH": str(config),
            "SUPERSET_HOME": str(self.home),
            "SCARF_ANALYTICS": "false",
            # Not UTC: nothing may depend on it
            "TZ": "America/New_York",
        }
        self._command("db", "upgrade")
        person = ("--firstname", "A", "--lastname", "B", "--email", "admin@localhost")
        self._command("fab", "create-admin", "--username", ADMIN, *person, "--password", self.password)
        self._command("init")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.url = "http://127.0.0.1:%d" % listening.getsockname()[1]
            self._start(listening.fileno())
        try:
            self._await_health()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *error):
        self._stop()

    def _command(self, *arguments):
        begin = time.monotonic()
        program = "from superset.cli.main import superset; superset()"
        result = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=self._environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        name = " ".join(arguments[:2])
        if result.returncode:
            raise RuntimeError(f"superset {name}: code {result.returncode}\n{result.stdout}{result.stderr}")
        print(f"superset {name}: {time.monotonic() - begin:.0f} s", flush=True)

    def _start(self, listening):
        self._begin = time.monotonic()
        with open(self.home / "server.log", "wb") as log:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "--bind", f"fd://{listening}", "--worker-class", "gthread"]
                + ["--workers", "1", "--threads", "8", "--timeout", "300", "superset.app:create_app()"],
                env=self._environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(listening,),
                start_new_session=True,
            )

    def _await_health(self):
        end = time.monotonic() + _SECONDS
        while not self._healthy():
            if self._server.poll() is not None:
                raise RuntimeError(f"Superset ended with {self._server.returncode}:\n{self.log()}")
            if time.monotonic() > end:
                raise RuntimeError(f"Superset is not healthy after {_SECONDS} s:\n{self.log()}")
            time.sleep(0.5)
        print(f"Superset answers after {time.monotonic() - self._begin:.0f} s", flush=True)

    def _healthy(self):
        try:
            with urllib.request.urlopen(self.url + "/health", timeout=10) as answer:
                return answer.read() == b"OK"
        except (OSError, urllib.error.URLError):
            return False

    def log(self):
        return (self.home / "server.log").read_text(errors="replace")[-8_000:]

    def _stop(self):
        """All of its group: gunicorn's workers too."""
        os.killpg(self._server.pid, signal.SIGTERM)
        try:
            self._server.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self._server.pid, signal.SIGKILL)
            self._server.wait()
