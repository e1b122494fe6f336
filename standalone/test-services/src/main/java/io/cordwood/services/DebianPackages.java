package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages of Debian that were downloaded once and unpacked, not installed: that needs no root. Immutable.
 *
 * @param root holds their files as {@code /} would
 */
record DebianPackages(Path root) {
    /**
     * The packages below the target directory of this module, with dependencies that this machine lacks.
     *
     * @param name name of their directory
     * @throws IOException with the output of {@code apt-get} if it cannot get them
     */
    static DebianPackages fetch(String name, List<String> packages) throws IOException, InterruptedException {
        Path root = LocalPrograms.projectRoot()
                .resolve("standalone/test-services/target")
                .resolve(name);
        if (Files.exists(root)) {
            return new DebianPackages(root);
        }
        String plan = LocalPrograms.run(
                Stream.concat(
                                Stream.of("apt-get", "install", "--simulate", "--no-install-recommends", "-qq"),
                                packages.stream())
                        .toList(),
                Path.of("."));
        List<String> missing = plan.lines()
                .filter(line -> line.startsWith("Inst "))
                .map(line -> line.split(" ", 3)[1])
                .toList();
        Path half = Files.createTempDirectory(Files.createDirectories(root.getParent()), name + "-");
        LocalPrograms.unpack(missing, half);
        return new DebianPackages(Files.move(half, root, StandardCopyOption.ATOMIC_MOVE));
    }

    /** The value of {@code LD_LIBRARY_PATH} with which their programs find their libraries. */
    String libraryPath() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.getFileName().toString().contains(".so"))
                    .map(file -> file.getParent().toString())
                    .distinct()
                    .sorted(Comparator.naturalOrder())
                    .collect(Collectors.joining(":"));
        }
    }

    /** The directory of the file with this name. @throws IOException if there is none */
    Path directoryOf(String name) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no %s in %s".formatted(name, root)))
                    .getParent();
        }
    }
}
