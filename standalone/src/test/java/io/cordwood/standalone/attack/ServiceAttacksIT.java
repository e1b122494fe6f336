package io.cordwood.standalone.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.attack.SecuredStack.Running;
import io.cordwood.standalone.observability.Scrapes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisAccessControlException;

/** Attacks on the services behind the doors, and on their secrets. */
@ExtendWith(SecuredStack.class)
final class ServiceAttacksIT {
    private static final String ROUTES = "cordwood:routes:logs";
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_+/=.-]{20,}");

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

    private final Running stack;

    ServiceAttacksIT(Running stack) {
        this.stack = stack;
    }

    @Test
    void attack40RedisFlinkAndTheBalancer() throws Exception {
        URI redis = URI.create(stack.endpoint("redis"));
        try (Jedis open = new Jedis(redis.getHost(), redis.getPort(), tls())) {
            assertThatThrownBy(() -> open.set(ROUTES, "{}")).hasMessageContaining("NOAUTH");
        }
        try (Jedis producer = new Jedis(URI.create(stack.secretText("producer.redis.url")), tls())) {
            assertThat(producer.get(ROUTES + "-nothing")).isNull();
            assertThatThrownBy(() -> producer.set(ROUTES, "{}"))
                    .isInstanceOf(JedisAccessControlException.class)
                    .hasMessageContaining("NOPERM");
        }

        String flink = stack.endpoint("flink");
        assertThatThrownBy(() -> stack.send(HttpRequest.newBuilder(URI.create(flink + "/jobs/overview"))
                        .build()))
                .as("without a client's certificate")
                .isInstanceOf(IOException.class);
        assertThat(stack.ok("status")).contains("ingest job running");

        HttpRequest plan = HttpRequest.newBuilder(URI.create(stack.endpoint("balancer") + "/api/plan"))
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(stack.send(plan).statusCode()).isEqualTo(401);
        HttpRequest routes = HttpRequest.newBuilder(URI.create(stack.endpoint("balancer") + "/api/routes"))
                .build();
        assertThat(stack.send(routes).statusCode()).isEqualTo(401);
        HttpRequest allowed = HttpRequest.newBuilder(URI.create(stack.endpoint("balancer") + "/api/routes"))
                .header("Authorization", "Bearer " + stack.operatorToken())
                .build();
        assertThat(stack.send(allowed).statusCode()).isEqualTo(200);
    }

    private DefaultJedisClientConfig tls() {
        return DefaultJedisClientConfig.builder()
                .sslOptions(SslOptions.builder()
                        .truststore(stack.secret("truststore.jks").toFile())
                        .trustStoreType("JKS")
                        .build())
                .build();
    }

    @Test
    void fourServicesTellWhenTheirCertificatesEnd() throws Exception {
        Instant inAYear = Instant.now().plus(Duration.ofDays(365));
        assertThat(Scrapes.of(Scrapes.targets(stack.home())).samples())
                .filteredOn(sample -> sample.name().equals("cordwood_certificate_expiry_timestamp_seconds"))
                .hasSize(4)
                .allSatisfy(sample -> assertThat(sample.value()).isGreaterThan((double) inAYear.getEpochSecond()));
    }

    @Test
    void secretsAreFilesOfTheirOwnerAlone() throws IOException {
        assertThat(mode(stack.home().directory())).isEqualTo("rwx------");
        assertThat(mode(stack.secret(""))).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(stack.secret(""))) {
            for (Path file : files.toList()) {
                assertThat(mode(file)).as("%s", file).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void noSecretIsInArgumentsEnvironmentsLogsCheckpointsOrTheWarehouse() throws IOException {
        List<String> secrets = secrets();
        assertThat(secrets).hasSizeGreaterThan(10);
        // The header of all tokens that one key signs is the same
        String token = stack.operatorToken();
        String header = token.substring(0, token.indexOf('.') + 1);
        int files = 0;
        for (Path file : filesOutsideOf("secrets", "etc", "lib")) {
            String text = read(file);
            files++;
            assertThat(secrets).as("%s", file).noneMatch(text::contains);
            if (!file.startsWith(stack.home().data().resolve("kafka"))) {
                assertThat(text).as("no token of a record is in %s", file).doesNotContain(header);
            }
        }
        assertThat(files).isGreaterThan(50);
        for (Path file : filesOutsideOf("secrets", "lib", "log", "data", "warehouse", "tmp", "run")) {
            if (secrets.stream().anyMatch(read(file)::contains)) {
                assertThat(mode(file)).as("%s", file).isEqualTo("rw-------");
            }
        }
        String home = stack.home().directory().toString();
        int processes = 0;
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process : all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                String arguments = read(process.resolve("cmdline"));
                if (arguments.contains(home)) {
                    processes++;
                    assertThat(secrets).as("arguments of %s", process).noneMatch(arguments::contains);
                    String environment = read(process.resolve("environ"));
                    assertThat(secrets).as("environment of %s", process).noneMatch(environment::contains);
                }
            }
        }
        assertThat(processes).isGreaterThan(5);
    }

    /** The files of the home, but for those in the directories named. */
    private List<Path> filesOutsideOf(String... directories) throws IOException {
        Path home = stack.home().directory();
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()
                        && Stream.of(directories).map(home::resolve).noneMatch(file::startsWith)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Checkpoints come and go meanwhile. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                return skipIfGone(failure);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                return failure == null ? FileVisitResult.CONTINUE : skipIfGone(failure);
            }
        });
        return files;
    }

    private static FileVisitResult skipIfGone(IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    /** What the files below {@code secrets} hide: tokens, passwords, and lines of private keys. */
    private List<String> secrets() throws IOException {
        List<String> secrets = new ArrayList<>();
        try (Stream<Path> files = Files.list(stack.secret(""))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                String text = Files.readString(file, ISO_8859_1);
                if (name.endsWith(".token") || name.endsWith("password") || name.matches(".*(secret|cursor-key)")) {
                    secrets.add(text.strip());
                } else if (name.endsWith(".pem")) {
                    Matcher key = PRIVATE_KEY.matcher(text);
                    if (key.find()) {
                        secrets.add(key.group(1).strip().lines().findFirst().orElseThrow());
                    }
                } else if (name.endsWith(".json")) {
                    secrets.add(text.replaceAll("(?s).*\"d\":\"([^\"]+)\".*", "$1"));
                }
            }
        }
        assertThat(secrets).allMatch(SECRET.asMatchPredicate());
        return secrets;
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** Empty if the process has ended, or the file has gone. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
