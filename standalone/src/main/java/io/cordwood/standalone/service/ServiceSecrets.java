package io.cordwood.standalone.service;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * The secrets that each service of a lake needs, so that it need not have those of others. What they trust, the
 * authority, all have.
 */
public enum ServiceSecrets {
    KAFKA("kafka.pem"),
    REDIS("redis.pem", "redis-users.acl"),
    CATALOG("catalog.pem", "signing-keys.json", "bootstrap.token"),
    FLINK("flink.pem", "ingest.token", "ingest.kafka.properties", "ingest.redis.password"),
    /** Flink's processes accept only those that have the same certificate. */
    FLINK_TASKMANAGER("flink.pem", "ingest.token"),
    COMPACTION("compaction.pem", "compactor.token"),
    BALANCER("balancer.pem", "balancer.token", "balancer.kafka.properties", "balancer.redis.password"),
    TRINO("trino.pem", "query.token", "query.kafka.properties", "query.redis.password", "trino.shared-secret"),
    TRINO_WORKER(
            "trino-worker.pem", "query.token", "query.kafka.properties", "query.redis.password", "trino.shared-secret"),
    /** It reads Kafka and Redis as Trino does. */
    SEARCH("search.pem", "search.token", "query.kafka.properties", "query.redis.password", "search.cursor-key"),
    GATEWAY("gateway.pem", "gateway.token", "gateway.kafka.properties", "gateway.redis.password");

    /** Names of files; none has a space. */
    private final String own;

    ServiceSecrets(String... own) {
        this.own = String.join(" ", own);
    }

    private List<String> files() {
        return List.of(("ca.pem truststore.jks " + own).split(" ", -1));
    }

    static ServiceSecrets of(String service) {
        return valueOf(service.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Checks that a directory has them. @throws CordwoodException if one is missing */
    void check(Secrets secrets) {
        for (String file : files()) {
            Path path = secrets.directory().resolve(file);
            if (!Files.isReadable(path)) {
                throw new CordwoodException("cannot read %s: make it with `bin/cordwood secret %s`"
                        .formatted(path, file.endsWith(".token") ? "register" : "init"));
            }
        }
    }

    /**
     * Writes the users of Redis, and gives each service a directory of its own, {@code services/NAME}, with what it
     * needs and is there. A file that has not changed stays as it is, and a new one belongs to whom its directory
     * belongs to: services read them meanwhile, each as a user of its own.
     */
    public static void writeAll(Secrets secrets) {
        try {
            AtomicFiles.write(secrets.redisUsers(), RedisUsers.file(secrets));
            for (ServiceSecrets each : values()) {
                each.write(secrets);
            }
        } catch (IOException e) {
            throw new CordwoodException(
                    "cannot write the secrets in %s: %s".formatted(secrets.directory(), Errors.text(e)), e);
        }
    }

    private void write(Secrets secrets) throws IOException {
        Path directory = secrets.directory()
                .resolve("services")
                .resolve(name().toLowerCase(Locale.ROOT).replace('_', '-'));
        Secrets.ownerOnly(Files.createDirectories(directory));
        for (String file : files()) {
            Path from = secrets.directory().resolve(file);
            Path to = directory.resolve(file);
            if (Files.exists(from) && !(Files.exists(to) && Files.mismatch(from, to) < 0)) {
                Path part = Files.createTempFile(directory, file + ".", AtomicFiles.UNFINISHED);
                Files.write(part, Files.readAllBytes(from));
                Files.setOwner(part, Files.getOwner(directory));
                Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
