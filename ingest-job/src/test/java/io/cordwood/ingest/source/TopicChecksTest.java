package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

class TopicChecksTest {
    private static final MinRetention RETENTION = new MinRetention(Duration.ofHours(25), 2L << 30);
    private static final String WEEK = Long.toString(Duration.ofDays(7).toMillis());

    @Test
    void takesATopicThatKeepsItsRecords() {
        assertThatCode(() -> check("delete", "LogAppendTime", WEEK)).doesNotThrowAnyException();
        assertThatCode(() -> check("delete", "LogAppendTime", "-1")).doesNotThrowAnyException();
    }

    @Test
    void refusesWhatWouldLoseRows() {
        assertThatThrownBy(() -> check("compact", "LogAppendTime", WEEK))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Topic 'logs' has cleanup.policy=compact; it must be delete, because compaction would drop rows; change it with kafka-configs --alter");
        assertThatThrownBy(() -> check("delete", "CreateTime", WEEK))
                .hasMessageContaining("message.timestamp.type=CreateTime; it must be LogAppendTime");
        assertThatThrownBy(() -> check("delete", "LogAppendTime", WEEK, "true"))
                .hasMessageContaining("unclean.leader.election.enable=true; it must be false");
        assertThatThrownBy(() -> check("delete", "LogAppendTime", "90000000"))
                .hasMessageContaining("retention.ms=90000000, but a row may wait 90000000 ms");
    }

    @Test
    void refusesToKeepFewerBytesThanMayWait() {
        assertThatCode(() -> checkBytes("-1")).doesNotThrowAnyException();
        assertThatCode(() -> checkBytes("2147483649")).doesNotThrowAnyException();
        assertThatThrownBy(() -> checkBytes("2147483648"))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Topic 'logs' has retention.bytes=2147483648 for each partition, but 2147483648 bytes may be read past a row before it is in its table; set retention.bytes=-1, raise it, or lower --max-lag");
    }

    @Test
    void refusesADeadLetterTopicOfSmallRecords() {
        assertThatCode(() -> checkDeadLetters("20971520")).doesNotThrowAnyException();
        assertThatThrownBy(() -> checkDeadLetters("1048588"))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Topic 'logs.dlq' has max.message.bytes=1048588; it must be at least 20971520, because a large dead letter would stop the job; change it with kafka-configs --alter");
    }

    private static void checkDeadLetters(String maxMessageBytes) {
        TopicChecks.checkDeadLetters(
                "logs.dlq", new Config(List.of(new ConfigEntry("max.message.bytes", maxMessageBytes))));
    }

    private static void check(String cleanup, String timestamps, String retention) {
        check(cleanup, timestamps, retention, "false");
    }

    private static void checkBytes(String retentionBytes) {
        check("delete", "LogAppendTime", WEEK, "false", retentionBytes);
    }

    private static void check(String cleanup, String timestamps, String retention, String uncleanElection) {
        check(cleanup, timestamps, retention, uncleanElection, "-1");
    }

    private static void check(
            String cleanup, String timestamps, String retention, String uncleanElection, String retentionBytes) {
        TopicChecks.check(
                "logs",
                new Config(List.of(
                        new ConfigEntry("cleanup.policy", cleanup),
                        new ConfigEntry("message.timestamp.type", timestamps),
                        new ConfigEntry("unclean.leader.election.enable", uncleanElection),
                        new ConfigEntry("retention.ms", retention),
                        new ConfigEntry("retention.bytes", retentionBytes))),
                RETENTION);
    }
}
