# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Chromium without a window, driven over WebDriver with Python's own library."""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
           "--force-color-profile=srgb", "--no-first-run", "--disable-extensions", "--disable-background-networking"]


def programs():
    """The browser and its driver, or None where one is missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (chromium, driver) if chromium and driver else None


class Browser:
    """A window of 1280 x 900 pixels."""

    def __init__(self, folder):
        chromium, driver = programs()
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True, env={**os.environ, "HOME": folder})
        self.base = f"http://127.0.0.1:{self._port()}/session"
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                  "goog:chromeOptions": {"binary": chromium,
                                         "args": OPTIONS + [f"--user-data-dir={folder}/profile", "--window-size=1280,900"]}}
        answer = self._ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self.base += "/" + answer["sessionId"]
        self._ask("POST", "/timeouts", {"script": 20000, "pageLoad": 30000})

    def _port(self):
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return int(line.split("port")[1].strip().rstrip("."))
        raise RuntimeError("chromedriver ended before it said its port")

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def open(self, path, state="ready"):
        """Opens a file and waits until the page says its state."""
        self.visit("file://" + str(path))
        if state:
            self.wait(f"document.body.dataset.state === '{state}'")

    def visit(self, url):
        self.log("browser")
        self.log("performance")
        self._ask("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a script, whose `return` is the answer."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=15):
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {condition}")
            time.sleep(0.05)

    def frames(self):
        """Waits until what is to be drawn in the next frame is drawn."""
        self._ask("POST", "/execute/async", {"args": [], "script":
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"})

    def devtools(self, command, **parameters):
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        return self._ask("POST", "/se/log", {"type": kind})

    def requests(self):
        """What the page has asked for since it was opened, besides itself and what stands in it; the first page of
        the browser is its own."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        urls = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "chrome:"))]

    def press(self, *keys, held=()):
        """Presses keys one after the other, where the focus is, while others are held."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        steps = [{"type": "keyDown", "value": key} for key in held] + steps + [{"type": "keyUp", "value": key} for key in held]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def point(self, selector, *places, is_held=False):
        """Moves the mouse to places in an element, as shares of its width and height; is_held: pressed from the first
        to the last."""
        left, top, width, height = self.run(
            "const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]", selector)
        steps = [{"type": "pointerMove", "x": round(left + x * width), "y": round(top + y * height), "duration": 20} for x, y in places]
        if is_held:
            steps = [steps[0], {"type": "pointerDown", "button": 0}, *steps[1:], {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self._ask("POST", "/actions", {"actions": [mouse]})

    def choose(self, selector, *paths):
        """Chooses files in an <input type=file>, as its dialog does."""
        root = self.devtools("DOM.getDocument")["root"]["nodeId"]
        node = self.devtools("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.devtools("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def drop(self, *paths, steps=("dragEnter", "dragOver", "drop")):
        """Drags files and folders into the middle of the window, and drops them."""
        x, y = self.run("return [innerWidth / 2, innerHeight / 2]")
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for step in steps:
            self.devtools("Input.dispatchDragEvent", type=step, x=x, y=y, data=data)

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def look(self, scheme="light", media=""):
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._ask("GET", "/screenshot")))

    def close(self):
        try:
            self._ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
