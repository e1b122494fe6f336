package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
            Path root = unpacked(LocalPrograms.projectRoot()
                    .resolve("standalone/test-services/target")
                    .resolve("chromium"));
            // The same version: installed packages of Debian were not fetched.
            return new Chromium(
                    in(root, "usr/lib/chromium/chromium").or(() -> browser).orElseThrow(),
                    in(root, "usr/bin/chromedriver").or(() -> driver).orElseThrow(),
                    environment(root));
        } catch (IOException e) {
            throw new MissingBrowserException(e.getMessage(), e);
        }
    }

    /** The unpacked packages, with dependencies that this machine lacks. */
    static Path unpacked(Path root) throws IOException, InterruptedException {
        if (Files.exists(root)) {
            return root;
        }
        String plan = LocalPrograms.run(
                Stream.concat(
                                Stream.of("apt-get", "install", "--simulate", "--no-install-recommends", "-qq"),
                                PACKAGES.stream())
                        .toList(),
                Path.of("."));
        List<String> missing = plan.lines()
                .filter(line -> line.startsWith("Inst "))
                .map(line -> line.split(" ", 3)[1])
                .toList();
        Path half = Files.createTempDirectory(Files.createDirectories(root.getParent()), "chromium-");
        LocalPrograms.unpack(missing, half);
        return Files.move(half, root, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Optional<Path> in(Path root, String program) {
        return Optional.of(root.resolve(program)).filter(Files::exists);
    }

    private static Map<String, String> environment(Path root) throws IOException {
        Map<String, String> environment = new HashMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            environment.put(
                    "LD_LIBRARY_PATH",
                    files.filter(file -> file.getFileName().toString().contains(".so"))
                            .map(file -> file.getParent().toString())
                            .distinct()
                            .sorted(Comparator.naturalOrder())
                            .collect(Collectors.joining(":")));
        }
        // On a machine without fonts, these were fetched too.
        if (Files.exists(root.resolve("etc/fonts/fonts.conf"))) {
            environment.put("FONTCONFIG_PATH", root.resolve("etc/fonts").toString());
            environment.put("XDG_DATA_HOME", root.resolve("usr/share").toString());
        }
        return environment;
    }
}
