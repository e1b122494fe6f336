"""Superset's pages in a real browser, until they show what was shipped, and pictures of them."""

from urllib.parse import urlencode

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from bi.job import CATALOG, SCHEMA
from bi.server import ADMIN

_SECONDS = 240
_SIZE = (1400, 1100)
_SQL = """SELECT ts, level, message, n
FROM logs
WHERE match(message, 'error AND "reset by peer"') AND level = 'ERROR'
ORDER BY ts DESC"""


def take(browser, superset, made, shipped, directory):
    """`browser` has the address of a ChromeDriver and its options, `made` what there is to see."""
    directory.mkdir(parents=True, exist_ok=True)
    window = _Window(browser, superset.url)
    try:
        window.log_in(superset.password)
        _dashboard(window, made, shipped)
        window.picture(directory / "superset-dashboard.png")
        _sql_lab(window, made, shipped)
        window.picture(directory / "superset-sql-lab.png")
    finally:
        window.close()


def _dashboard(window, made, shipped):
    window.open(f"/superset/dashboard/{made.dashboard}/")
    errors = f"{len(shipped.with_error()):,}"
    newest = shipped.newest(1)[0].message
    window.await_text(".dashboard", errors, newest, "match(message, 'error')")
    window.await_none(".dashboard .loading")
    window.await_some(".dashboard canvas")


def _sql_lab(window, made, shipped):
    question = {"dbid": made.lake, "catalog": CATALOG, "schema": SCHEMA, "sql": _SQL, "autorun": "true", "name": SCHEMA}
    window.open("/sqllab/?" + urlencode(question))
    found = [row for row in shipped.with_error() if "reset by peer" in row.message and row.level == "ERROR"]
    newest = max(found, key=lambda row: row.ts)
    window.await_text("body", newest.message, f"{len(found)} rows")


class _Window:
    def __init__(self, browser, url):
        options = webdriver.ChromeOptions()
        options.binary_location = browser["options"]["binary"]
        for argument in browser["options"]["args"]:
            options.add_argument(argument)
        self._url = url
        self._driver = webdriver.Remote(browser["url"], options=options)
        self._driver.set_window_size(*_SIZE)

    def log_in(self, password):
        self.open("/login/")
        for name, value in (("username", ADMIN), ("password", password)):
            self.await_some(f"input#{name}")
            self._driver.find_element(By.CSS_SELECTOR, f"input#{name}").send_keys(value)
        self._driver.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
        self._await(lambda: "/login" not in self._driver.current_url, "the login")

    def open(self, path):
        self._driver.get(self._url + path)

    def await_text(self, selector, *parts):
        self._await(lambda: all(part in self._text(selector) for part in parts), f"{parts} in {selector}")

    def await_some(self, selector):
        self._await(lambda: self._count(selector) > 0, selector)

    def await_none(self, selector):
        self._await(lambda: self._count(selector) == 0, f"no {selector}")

    def picture(self, file):
        """When nothing moves any more."""
        last = [b""]

        def still():
            last.append(self._driver.get_screenshot_as_png())
            return last[-1] == last[-2]

        self._await(still, "the page to stand still")
        file.write_bytes(last[-1])
        print(f"{file.name}: {file.stat().st_size:,} bytes", flush=True)

    def close(self):
        self._driver.quit()

    def _text(self, selector):
        script = "return [...document.querySelectorAll(arguments[0])].map(element => element.innerText).join('\\n')"
        return self._driver.execute_script(script, selector)

    def _count(self, selector):
        return self._driver.execute_script("return document.querySelectorAll(arguments[0]).length", selector)

    def _await(self, condition, what):
        WebDriverWait(self._driver, _SECONDS).until(lambda driver: condition(), f"waited {_SECONDS} s for {what}")
