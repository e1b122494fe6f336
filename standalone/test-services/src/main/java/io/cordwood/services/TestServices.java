package io.cordwood.services;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Starts real services for tests: in containers where Docker answers, else as local processes. The system property
 * {@value #PROPERTY} with {@code containers} or {@code processes} decides otherwise. The choice is printed once.
 * Thread-safe.
 */
public final class TestServices {
    /** Name of the system property that chooses containers or processes. */
    public static final String PROPERTY = "cordwood.test.services";

    private static final Provider PROVIDER = announce(provider());

    private TestServices() {}

    /** A Kafka of one node that is both broker and controller, and creates no topics by itself. */
    public static Service kafka() throws IOException, InterruptedException {
        return PROVIDER.kafka();
    }

    /** A PostgreSQL server; {@link Service#url} is that of its database {@code postgres}, and needs no password. */
    public static Service postgresql() throws IOException, InterruptedException {
        return PROVIDER.postgresql();
    }

    /** A Redis that keeps its data through a kill. */
    public static Service redis() throws IOException, InterruptedException {
        return PROVIDER.redis();
    }

    /**
     * An S3 store with one bucket, for {@link S3Account}; {@link Service#url} is its endpoint. Always a local process,
     * because it needs only Java.
     */
    public static Service objectStore() throws IOException, InterruptedException {
        return LocalProcesses.objectStore();
    }

    /**
     * MinIO, an S3 store with a security token service at the same address, with one bucket, for {@link S3Account}.
     * Always a local process: the one on this machine, else built from source, which takes minutes once.
     *
     * @throws IllegalStateException if there is none and it cannot be built
     */
    public static Service minio() throws IOException, InterruptedException {
        return LocalProcesses.minio();
    }

    /**
     * The gateway of Versity as an S3 store with one bucket, for {@link S3Account}. Always a local process, as {@link
     * #minio}.
     *
     * @throws IllegalStateException if there is none and it cannot be built
     */
    public static Service versityGateway() throws IOException, InterruptedException {
        return LocalProcesses.versityGateway();
    }

    /**
     * The program {@code logcli}, Loki's client: the one on this machine, else built from source, which takes minutes
     * once.
     *
     * @throws IllegalStateException if there is none and it cannot be built
     */
    public static Path logcli() throws IOException, InterruptedException {
        return GoProgram.LOGCLI.find();
    }

    /**
     * The program {@code otelcol}, OpenTelemetry's Collector with OTLP: the one on this machine, else built from
     * source, which takes minutes once.
     *
     * @throws IllegalStateException if there is none and it cannot be built
     */
    public static Path openTelemetryCollector() throws IOException, InterruptedException {
        return GoProgram.OTELCOL.find();
    }

    /**
     * The command that runs rsyslog: the one on PATH, else that of Debian's packages, downloaded once. Arguments follow
     * it.
     *
     * @throws IllegalStateException if there is none and it cannot be downloaded
     */
    public static List<String> rsyslog() throws IOException, InterruptedException {
        return SyslogPrograms.rsyslog();
    }

    /**
     * The command that runs syslog-ng, as {@link #rsyslog}.
     *
     * @throws IllegalStateException if there is none and it cannot be downloaded
     */
    public static List<String> syslogNg() throws IOException, InterruptedException {
        return SyslogPrograms.syslogNg();
    }

    /**
     * Prometheus, always a local process: the one on PATH, else that of Debian's package, downloaded.
     *
     * @param configuration the text of its configuration; checked before
     * @throws IllegalStateException if there is none and it cannot be downloaded
     */
    public static Service prometheus(String configuration) throws IOException, InterruptedException {
        return LocalProcesses.prometheus(configuration);
    }

    /**
     * The program {@code promtool} of Prometheus: the one on PATH, else that of Debian's package.
     *
     * @param directory where the package is unpacked
     * @throws IllegalStateException if there is none and it cannot be downloaded
     */
    public static Path promtool(Path directory) throws IOException, InterruptedException {
        return LocalPrograms.prometheus(directory).resolve("promtool");
    }

    /**
     * Prometheus's Alertmanager, always a local process: the one on PATH, else that of Debian's package, downloaded.
     *
     * @param configuration the text of its configuration
     * @throws IllegalStateException if there is none and it cannot be downloaded
     */
    public static Service alertmanager(String configuration) throws IOException, InterruptedException {
        return LocalProcesses.alertmanager(configuration);
    }

    /**
     * A browser, always a local process: the Chromium on PATH, else that of Debian's packages, downloaded once.
     *
     * @throws MissingBrowserException if there is none and it cannot be downloaded
     */
    public static Browser browser() throws IOException, InterruptedException {
        return LocalProcesses.browser();
    }

    /**
     * The same for a test class, which is skipped if there is none and the variable {@code CI} is not {@code true}.
     *
     * @throws MissingBrowserException if there is none in continuous integration
     */
    public static Browser browserOrSkip() throws IOException, InterruptedException {
        try {
            return browser();
        } catch (MissingBrowserException e) {
            assumeTrue("true".equals(System.getenv("CI")), e.getMessage());
            throw e;
        }
    }

    private static Provider announce(Provider provider) {
        System.out.printf("test services: %s (-D%s=containers|processes decides otherwise)%n", provider, PROPERTY);
        return provider;
    }

    // Containers is loaded only on demand: without Docker, no class of Testcontainers is loaded.
    private static Provider provider() {
        BooleanSupplier docker = () -> mayHaveDocker() && Containers.dockerAnswers();
        return inContainers(System.getProperty(PROPERTY, ""), docker) ? new Containers() : new LocalProcesses();
    }

    static boolean inContainers(String wish, BooleanSupplier docker) {
        return switch (wish) {
            case "" -> docker.getAsBoolean();
            case "containers" -> true;
            case "processes" -> false;
            default ->
                throw new IllegalArgumentException("%s is containers or processes, not '%s'".formatted(PROPERTY, wish));
        };
    }

    private static boolean mayHaveDocker() {
        Map<String, String> environment = System.getenv();
        return environment.containsKey("DOCKER_HOST")
                || Stream.of(
                                Path.of("/var/run/docker.sock"),
                                Path.of(environment.getOrDefault("XDG_RUNTIME_DIR", "/var/run"), "docker.sock"),
                                Path.of(System.getProperty("user.home"), ".docker/run/docker.sock"))
                        .anyMatch(Files::exists);
    }
}
