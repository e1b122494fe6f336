package io.cordwood.services;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A real browser without a window, for tests of pages: a ChromeDriver that starts a Chromium, with an empty profile,
 * for each session that a WebDriver client asks for. Running since it was made. For one thread at a time.
 */
public final class Browser implements AutoCloseable {
    // It is to talk to the page alone, and may be run by root.
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

    /** Where a WebDriver client finds it. */
    public String url() {
        return driver.url();
    }

    /** What a session is to be asked for: this browser, and all that pages write to its console. */
    public Map<String, Object> capabilities() {
        return Map.of(
                "browserName",
                "chrome",
                "goog:loggingPrefs",
                Map.of("browser", "ALL"),
                "goog:chromeOptions",
                Map.of("binary", chromium.browser().toString(), "args", ARGUMENTS));
    }

    /** What it has logged so far. */
    public String log() throws IOException {
        return driver.log();
    }

    @Override
    public void close() throws IOException {
        // Browsers are its children only as long as it lives.
        driver.kill();
        driver.close();
    }
}
