package io.cordwood.services;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A real headless browser for tests of pages: a ChromeDriver that starts a Chromium with an empty profile for each
 * session of a WebDriver client. It runs from its creation on. For one thread at a time.
 */
public final class Browser implements AutoCloseable {
    // It connects only to the page, and may run as root.
    private static final List<String> ARGUMENTS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final LocalProcess driver;
    private final Chromium chromium;

    Browser(LocalProcess driver, Chromium chromium) {
        this.driver = driver;
        this.chromium = chromium;
    }

    /** Its URL for a WebDriver client. */
    public String url() {
        return driver.url();
    }

    /** Capabilities of a session: this browser, with the full console log of pages. */
    public Map<String, Object> capabilities() {
        return Map.of(
                "browserName",
                "chrome",
                "goog:loggingPrefs",
                Map.of("browser", "ALL"),
                "goog:chromeOptions",
                Map.of("binary", chromium.browser().toString(), "args", ARGUMENTS));
    }

    /** Its log so far. */
    public String log() throws IOException {
        return driver.log();
    }

    @Override
    public void close() throws IOException {
        // Browsers are its children only while it runs.
        driver.kill();
        driver.close();
    }
}
