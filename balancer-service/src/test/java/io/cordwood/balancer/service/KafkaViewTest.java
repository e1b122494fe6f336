package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class KafkaViewTest {
    private static final String CLIENT = "kafka-view-test";

    /** One that waits for the clock does not keep its own limit, or cannot connect within it. */
    @ParameterizedTest
    @CsvSource({"3600000, PT0.5S, gave no answer within PT0.5S", "500, PT1M, TimeoutException"})
    void aClientThatDoesNotAnswerIsNotUsedAgain(String ownLimit, Duration timeout, String message) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("client.id", CLIENT);
        properties.setProperty("request.timeout.ms", ownLimit);
        properties.setProperty("default.api.timeout.ms", ownLimit);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            properties.setProperty("bootstrap.servers", "localhost:" + silent.getLocalPort());
            try (KafkaView view = new KafkaView(properties, "group", timeout, false)) {
                List<Thread> before = threads();
                assertThat(before).hasSize(1);
                assertThatThrownBy(view::quotas)
                        .isInstanceOf(ExecutionException.class)
                        .hasMessageContaining(message);
                assertThat(threads()).hasSize(1).doesNotContainAnyElementsOf(before);
            }
        }
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kafka-admin-client-thread | " + CLIENT))
                .toList();
    }
}
