package io.cordwood.services;

/** There is no browser on this machine, and none could be downloaded; the message says what to install. */
public final class MissingBrowserException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingBrowserException(String whyNotDownloaded, Throwable cause) {
        super(
                "no chromium and chromedriver on PATH (%s): install them, on Debian with apt-get install chromium chromium-driver"
                        .formatted(whyNotDownloaded.strip()),
                cause);
    }
}
