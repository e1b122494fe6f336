"""Superset's REST API, as its own pages use it: with a login, a session and its protection against forged requests."""

import json

import requests


class Refused(Exception):
    """An answer that is an error, with its text."""


class Rest:
    """Not thread-safe."""

    def __init__(self, url, user, password):
        self._url = url
        self._session = requests.Session()
        # Neither a proxy nor certificates of this machine
        self._session.trust_env = False
        login = {"username": user, "password": password, "provider": "db"}
        token = self.post("/api/v1/security/login", login)["access_token"]
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._session.headers["X-CSRFToken"] = self.get("/api/v1/security/csrf_token/")["result"]
        self._session.headers["Referer"] = url

    def get(self, path, **question):
        """`question` is in the notation that Superset reads lists' questions in."""
        parameters = {"q": json.dumps(question)} if question else {}
        return self._answer(self._session.get(self._url + path, params=parameters))

    def post(self, path, body):
        return self._answer(self._session.post(self._url + path, json=body))

    def put(self, path, body):
        return self._answer(self._session.put(self._url + path, json=body))

    @staticmethod
    def _answer(response):
        if not response.ok:
            raise Refused(f"{response.status_code} {response.url}: {response.text}")
        return response.json()
