package io.cordwood.services;

import io.cordwood.jvm.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Services as processes of this machine, on loopback, without Docker. */
final class LocalProcesses implements Provider {
    // PostgreSQL refuses to run as root: root runs it under an account that every system has.
    private static final String UNPRIVILEGED = "nobody";
    /** The files of a Kafka that has no data yet, by their names. */
    private static final Map<String, byte[]> FORMATTED = new HashMap<>();

    @Override
    public Service kafka() throws IOException, InterruptedException {
        Path home = home(Protocol.KAFKA);
        int port = FreePort.choose();
        Path settings = home.resolve("server.properties");
        Files.writeString(
                settings,
                KafkaSettings.of("127.0.0.1", "127.0.0.1:" + port, port, FreePort.choose(), home + "/data")
                        .entrySet()
                        .stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
                        .collect(Collectors.joining()));
        format(settings, home);
        return LocalProcess.start(
                Protocol.KAFKA,
                port,
                kafka("kafka.Kafka", settings.toString()),
                home,
                classes(Protocol.KAFKA, LocalPrograms.brokerClassPath()));
    }

    /** Writes what Kafka's tool writes, which is the same for each: it takes two seconds. */
    private static synchronized void format(Path settings, Path home) throws IOException, InterruptedException {
        Path data = home.resolve("data");
        if (FORMATTED.isEmpty()) {
            LocalPrograms.run(
                    kafka(
                            "kafka.tools.StorageTool",
                            "format",
                            "-t",
                            "cordwood-test-services",
                            "-c",
                            settings.toString()),
                    home);
            try (Stream<Path> files = Files.list(data)) {
                for (Path file : files.toList()) {
                    FORMATTED.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
        } else {
            Files.createDirectory(data);
            for (Map.Entry<String, byte[]> file : FORMATTED.entrySet()) {
                Files.write(data.resolve(file.getKey()), file.getValue());
            }
        }
    }

    private static List<String> kafka(String mainClass, String... arguments) throws IOException {
        List<String> command = java(LocalPrograms.brokerClassPath(), mainClass, arguments);
        // It lives for a minute: the better compiler would take more time than its code saves
        command.add(1, "-XX:TieredStopAtLevel=1");
        return command;
    }

    private static Optional<ClassArchive> classes(Protocol protocol, String classPath) {
        return ClassArchive.of(
                LocalPrograms.projectRoot().resolve("target/test-class-archives"),
                protocol.toString().toLowerCase(Locale.ROOT),
                classPath,
                List.of());
    }

    /** S3Proxy, which keeps objects as files. */
    static Service objectStore() throws IOException, InterruptedException {
        Path home = home(Protocol.OBJECT_STORE);
        int port = FreePort.choose();
        Path data = home.resolve("data");
        // A bucket is a directory.
        Files.createDirectories(data.resolve(S3Account.BUCKET));
        Path settings = home.resolve("s3proxy.properties");
        Files.writeString(settings, """
                s3proxy.endpoint=http://127.0.0.1:%d
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                s3proxy.v4-max-non-chunked-request-size=134217728
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(port, S3Account.ACCESS_KEY, S3Account.SECRET_KEY, data));
        Path log = home.resolve("logback.xml");
        Files.writeString(
                log,
                "<configuration><appender name=\"out\" class=\"ch.qos.logback.core.ConsoleAppender\"><encoder><pattern>%d %-5level %msg%n</pattern></encoder></appender><root level=\"WARN\"><appender-ref ref=\"out\"/></root></configuration>");
        List<String> command = java(
                LocalPrograms.objectStoreClassPath(), "org.gaul.s3proxy.Main", "--properties", settings.toString());
        command.add(1, "-Dlogback.configurationFile=" + log);
        return LocalProcess.start(
                Protocol.OBJECT_STORE,
                port,
                command,
                home,
                classes(Protocol.OBJECT_STORE, LocalPrograms.objectStoreClassPath()));
    }

    /** MinIO on one directory. */
    static Service minio() throws IOException, InterruptedException {
        Path program = GoProgram.MINIO.find();
        Path home = home(Protocol.OBJECT_STORE);
        int port = FreePort.choose();
        Path data = home.resolve("data");
        Files.createDirectories(data.resolve(S3Account.BUCKET));
        List<String> environment = List.of(
                "env",
                "MINIO_ROOT_USER=" + S3Account.ACCESS_KEY,
                "MINIO_ROOT_PASSWORD=" + S3Account.SECRET_KEY,
                "MINIO_BROWSER=off",
                "MINIO_UPDATE=off",
                "HOME=" + home);
        return LocalProcess.start(
                Protocol.OBJECT_STORE,
                port,
                command(environment, program, "server", "--address", "127.0.0.1:" + port, data.toString()),
                home);
    }

    /** Versity's gateway on one directory. */
    static Service versityGateway() throws IOException, InterruptedException {
        Path program = GoProgram.VERSITYGW.find();
        Path home = home(Protocol.OBJECT_STORE);
        int port = FreePort.choose();
        Path data = home.resolve("data");
        Files.createDirectories(data.resolve(S3Account.BUCKET));
        Path attributes = Files.createDirectory(home.resolve("attributes"));
        List<String> environment =
                List.of("env", "ROOT_ACCESS_KEY=" + S3Account.ACCESS_KEY, "ROOT_SECRET_KEY=" + S3Account.SECRET_KEY);
        // Not every temporary directory has extended attributes
        return LocalProcess.start(
                Protocol.OBJECT_STORE,
                port,
                command(
                        environment,
                        program,
                        "--port",
                        "127.0.0.1:" + port,
                        "--quiet",
                        "posix",
                        "--sidecar",
                        attributes.toString(),
                        data.toString()),
                home);
    }

    /** Prometheus on a copy of a configuration, which it also checks. */
    static Service prometheus(String configuration) throws IOException, InterruptedException {
        Path home = home(Protocol.PROMETHEUS);
        Path programs = LocalPrograms.prometheus(home);
        Path file = Files.writeString(home.resolve("prometheus.yml"), configuration);
        LocalPrograms.run(List.of(programs.resolve("promtool").toString(), "check", "config", file.toString()), home);
        int port = FreePort.choose();
        return LocalProcess.start(
                Protocol.PROMETHEUS,
                port,
                command(
                        List.of(),
                        programs.resolve("prometheus"),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + home.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port),
                home);
    }

    /** Alertmanager alone, without a cluster. */
    static Service alertmanager(String configuration) throws IOException, InterruptedException {
        Path home = home(Protocol.ALERTMANAGER);
        Path program = LocalPrograms.alertmanager(home);
        Path file = Files.writeString(home.resolve("alertmanager.yml"), configuration);
        int port = FreePort.choose();
        return LocalProcess.start(
                Protocol.ALERTMANAGER,
                port,
                command(
                        List.of(),
                        program,
                        "--config.file=" + file,
                        "--storage.path=" + home.resolve("data"),
                        "--cluster.listen-address=",
                        "--web.listen-address=127.0.0.1:" + port),
                home);
    }

    /** ChromeDriver; what it and its browsers write goes into its home. */
    static Browser browser() throws IOException, InterruptedException {
        Chromium chromium = Chromium.find();
        Path home = home(Protocol.WEBDRIVER);
        int port = FreePort.choose();
        List<String> environment = new ArrayList<>(List.of("env", "TMPDIR=" + home));
        chromium.environment().forEach((name, value) -> environment.add(name + "=" + value));
        LocalProcess driver = LocalProcess.start(
                Protocol.WEBDRIVER, port, command(environment, chromium.driver(), "--port=" + port), home);
        return new Browser(driver, chromium);
    }

    private static List<String> java(String classPath, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dlog4j2.level=WARN",
                "-cp",
                classPath,
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    public Service postgresql() throws IOException, InterruptedException {
        Path home = home(Protocol.POSTGRESQL);
        Path programs = LocalPrograms.postgresql(home);
        List<String> account = List.of();
        if (System.getProperty("user.name").equals("root")) {
            LocalPrograms.run(List.of("chown", "-R", UNPRIVILEGED, home.toString()), home);
            account = List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--clear-groups");
        }
        int port = FreePort.choose();
        String data = home + "/data";
        LocalPrograms.run(
                command(
                        account,
                        programs.resolve("initdb"),
                        "-D",
                        data,
                        "-A",
                        "trust",
                        "-U",
                        "cordwood",
                        "--no-sync",
                        "-E",
                        "UTF8"),
                home);
        return LocalProcess.start(
                Protocol.POSTGRESQL,
                port,
                command(
                        account,
                        programs.resolve("postgres"),
                        "-D",
                        data,
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off"),
                home);
    }

    @Override
    public Service redis() throws IOException, InterruptedException {
        Path home = home(Protocol.REDIS);
        int port = FreePort.choose();
        return LocalProcess.start(
                Protocol.REDIS,
                port,
                command(
                        List.of(),
                        LocalPrograms.redis(home),
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--appendonly",
                        "yes",
                        "--save",
                        ""),
                home);
    }

    private static List<String> command(List<String> prefix, Path program, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path home(Protocol protocol) throws IOException {
        return Files.createTempDirectory(
                        "cordwood-%s-".formatted(protocol.toString().toLowerCase(Locale.ROOT)))
                .toRealPath();
    }

    @Override
    public String toString() {
        return "local processes";
    }
}
