package io.cordwood.services;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.testcontainers.DockerClientFactory;

/** Services in containers, by Testcontainers. */
final class Containers implements Provider {
    private final String host = DockerClientFactory.instance().dockerHostIpAddress();

    static boolean dockerAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public Service kafka() throws IOException, InterruptedException {
        int port = FreePort.choose();
        Map<String, String> environment =
                KafkaSettings.of("", host + ":" + port, port, port - 1, "/tmp/data").entrySet().stream()
                        .collect(Collectors.toMap(setting -> variable(setting.getKey()), Map.Entry::getValue));
        // The same port inside and outside: the broker reaches itself where its clients do.
        return Container.start(Protocol.KAFKA, "apache/kafka:4.3.1", host, port, port, environment);
    }

    private static String variable(String setting) {
        return "KAFKA_" + setting.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    @Override
    public Service postgresql() throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("POSTGRES_USER", "cordwood", "POSTGRES_HOST_AUTH_METHOD", "trust");
        return Container.start(Protocol.POSTGRESQL, "postgres:17", host, FreePort.choose(), 5432, environment);
    }

    @Override
    public Service redis() throws IOException, InterruptedException {
        return Container.start(
                Protocol.REDIS,
                "redis:7.0.15",
                host,
                FreePort.choose(),
                6379,
                Map.of(),
                "redis-server",
                "--appendonly",
                "yes",
                "--save",
                "");
    }

    @Override
    public String toString() {
        return "containers";
    }
}
