package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of a Chromium. Immutable.
 *
 * @param browser the browser itself
 * @param driver its ChromeDriver
 * @param environment variables for finding their libraries and fonts
 */
record Chromium(Path browser, Path driver, Map<String, String> environment) {
    private static final List<String> PACKAGES = List.of("chromium", "chromium-driver");

    /**
     * The Chromium on PATH, else the one of Debian's packages, downloaded once into this module's {@code target} and
     * unpacked there.
     *
     * @throws MissingBrowserException if there is none
     */
    static Chromium find() throws InterruptedException {
        Optional<Path> browser = Stream.of("chromium", "google-chrome", "chromium-browser")
                .flatMap(name -> LocalPrograms.onPath(name).stream())
                .findFirst();
        Optional<Path> driver = LocalPrograms.onPath("chromedriver");
        if (browser.isPresent() && driver.isPresent()) {
            return new Chromium(browser.get(), driver.get(), Map.of());
        }
        if (LocalPrograms.onPath("apt-get").isEmpty()) {
            throw new MissingBrowserException("no apt-get to download them with", null);
        }
        try {
            DebianPackages unpacked = DebianPackages.fetch("chromium", PACKAGES);
            Path root = unpacked.root();
            // The same version: installed packages of Debian were not fetched.
            return new Chromium(
                    in(root, "usr/lib/chromium/chromium").or(() -> browser).orElseThrow(),
                    in(root, "usr/bin/chromedriver").or(() -> driver).orElseThrow(),
                    environment(unpacked));
        } catch (IOException e) {
            throw new MissingBrowserException(e.getMessage(), e);
        }
    }

    private static Optional<Path> in(Path root, String program) {
        return Optional.of(root.resolve(program)).filter(Files::exists);
    }

    private static Map<String, String> environment(DebianPackages unpacked) throws IOException {
        Map<String, String> environment = new HashMap<>();
        Path root = unpacked.root();
        environment.put("LD_LIBRARY_PATH", unpacked.libraryPath());
        // On a machine without fonts, these were fetched too.
        if (Files.exists(root.resolve("etc/fonts/fonts.conf"))) {
            environment.put("FONTCONFIG_PATH", root.resolve("etc/fonts").toString());
            environment.put("XDG_DATA_HOME", root.resolve("usr/share").toString());
        }
        return environment;
    }
}
