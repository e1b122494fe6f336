package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Kafka that takes connections and says nothing. */
@Timeout(60)
class SilentKafkaTest {
    private ServerSocket silent;

    @BeforeEach
    void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
    }

    @Test
    void isWaitedForForABoundedTime() {
        try (TopicAdmin admin = new TopicAdmin(kafka(), Duration.ofMillis(200))) {
            assertThatThrownBy(() -> admin.describe(List.of("logs")))
                    .isInstanceOf(IngestException.class)
                    .hasMessage("Kafka at 127.0.0.1:%d: cannot describe topic 'logs': TimeoutException"
                            .formatted(silent.getLocalPort()));
        }
    }

    @Test
    void doesNotHoldUpACancelledTask() throws Exception {
        try (TopicAdmin admin = new TopicAdmin(kafka())) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread task = Thread.ofPlatform().start(() -> {
                try {
                    admin.describe(List.of("logs"));
                } catch (IngestException e) {
                    end.complete(e);
                }
            });
            task.interrupt();
            assertThat(end.get()).hasMessage("Interrupted while waiting for Kafka");
        }
    }

    @Test
    void doesNotDelayTheEndOfARead() throws Exception {
        KafkaLogEndReader logEnds = new KafkaLogEndReader(kafka(), "test");
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread reading = Thread.ofPlatform().start(() -> {
            try {
                logEnds.read(Map.of(new LogPartition("logs", "id", 0), 5L));
            } catch (RuntimeException e) {
                end.complete(e);
            }
            logEnds.close();
        });
        logEnds.wakeUp();
        assertThat(end.get()).isInstanceOf(WakeupException.class);
        reading.join();
    }

    private Properties kafka() {
        Properties kafka = new Properties();
        kafka.setProperty("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort());
        return kafka;
    }
}
