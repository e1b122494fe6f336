package io.cordwood.standalone.service;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Redis: the server on PATH if there is one, else the static binary that embedded-redis carries. */
final class RedisService {
    static final String NAME = "redis";
    private static final String CARRIED = "redis-server-7.0.15";

    private RedisService() {}

    static ServiceSpec spec(Home home, Ports ports, Optional<Secrets> secrets) {
        int port = ports.of(NAME);
        return new ServiceSpec(
                NAME,
                url(ports, secrets),
                Set.of(),
                () -> command(home, port, secrets),
                () -> Probes.redisAnswers("127.0.0.1", port, secrets.map(Secrets::authorities)),
                () -> {},
                Duration.ofSeconds(10));
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "rediss://" : "redis://") + ports.address(NAME);
    }

    /** How a service is told of Redis: with a password, in a file of the home. */
    static List<String> arguments(Home home, String url, Account account, Optional<Secrets> secrets)
            throws IOException {
        if (secrets.isEmpty()) {
            return List.of("--redis", url);
        }
        Path file = home.configuration().resolve(account.user() + "-redis.url");
        AtomicFiles.write(file, secrets.get().redisUrl(account, url));
        return List.of("--redis-url-file", file.toString());
    }

    private static ServiceSpec.Command command(Home home, int port, Optional<Secrets> secrets) throws IOException {
        Path data = Files.createDirectories(home.data().resolve(NAME));
        List<String> arguments = new ArrayList<>(List.of(
                binary(home).toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                secrets.isPresent() ? "0" : Integer.toString(port),
                "--dir",
                data.toString(),
                "--appendonly",
                "yes",
                "--save",
                "",
                "--daemonize",
                "no"));
        if (secrets.isPresent()) {
            Path users = home.configuration().resolve("redis-users.acl");
            AtomicFiles.write(users, RedisUsers.file(secrets.get()));
            String certificate = secrets.get().certificate(NAME).toString();
            arguments.addAll(List.of(
                    "--tls-port",
                    Integer.toString(port),
                    "--tls-cert-file",
                    certificate,
                    "--tls-key-file",
                    certificate,
                    "--tls-ca-cert-file",
                    secrets.get().authorities().toString(),
                    // Clients log in with a password
                    "--tls-auth-clients",
                    "no",
                    "--aclfile",
                    users.toString()));
        }
        return new ServiceSpec.Command(arguments);
    }

    private static Path binary(Home home) throws IOException {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path onPath = Path.of(directory, "redis-server");
            if (!directory.isEmpty() && Files.isExecutable(onPath)) {
                return onPath;
            }
        }
        String name = CARRIED + "-" + platform();
        Path binary = home.libraries().resolve(name);
        if (!Files.isExecutable(binary)) {
            extract(name, binary);
        }
        return binary;
    }

    private static void extract(String name, Path binary) throws IOException {
        Path part = binary.resolveSibling(name + ".part");
        try (InputStream carried = RedisService.class.getResourceAsStream("/" + name)) {
            if (carried == null) {
                throw new CordwoodException(
                        "no Redis for this machine (%s): install redis-server, or give --redis".formatted(name));
            }
            Files.copy(carried, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(part, binary, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String machine = System.getProperty("os.arch");
        return system + "-" + (machine.equals("aarch64") ? "arm64" : machine);
    }
}
