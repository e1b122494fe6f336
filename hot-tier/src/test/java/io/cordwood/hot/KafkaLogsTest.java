package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;

/** Which clients are used; none of them connects to anything for that. */
class KafkaLogsTest {
    private static final String CLIENT = "kafka-logs-test";

    private final AtomicLong millisAtStart = new AtomicLong(1_790_000_000_000L);

    @Test
    void keepsConsumersForTheNextQuery() {
        try (KafkaLogs logs = logs()) {
            KafkaConsumer<byte[], byte[]> first = logs.borrow(Fetch.SINGLE_RECORDS);
            logs.giveBack(first, Fetch.SINGLE_RECORDS);
            assertThat(logs.borrow(Fetch.SINGLE_RECORDS)).isSameAs(first);
            logs.discard(first);
        }
    }

    @Test
    void usesNoClientThatWasMadeBeforeTheClockWasSetBack() {
        try (KafkaLogs logs = logs()) {
            KafkaConsumer<byte[], byte[]> kept = logs.borrow(Fetch.SINGLE_RECORDS);
            KafkaConsumer<byte[], byte[]> inUse = logs.borrow(Fetch.SINGLE_RECORDS);
            logs.giveBack(kept, Fetch.SINGLE_RECORDS);
            List<Thread> before = adminThreads();
            assertThat(before).hasSize(1);

            millisAtStart.addAndGet(-Duration.ofHours(3).toMillis());
            KafkaConsumer<byte[], byte[]> next = logs.borrow(Fetch.SINGLE_RECORDS);
            assertThat(next).isNotSameAs(kept);
            logs.giveBack(inUse, Fetch.SINGLE_RECORDS);
            logs.giveBack(next, Fetch.SINGLE_RECORDS);
            assertThat(logs.borrow(Fetch.SINGLE_RECORDS)).isSameAs(next);
            assertThat(adminThreads()).hasSize(1).doesNotContainAnyElementsOf(before);
            logs.discard(next);
        }
    }

    private KafkaLogs logs() {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", "localhost:1");
        properties.setProperty("client.id", CLIENT);
        return new KafkaLogs(properties, new ClockWatch(millisAtStart::get));
    }

    private static List<Thread> adminThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kafka-admin-client-thread | " + CLIENT))
                .toList();
    }
}
