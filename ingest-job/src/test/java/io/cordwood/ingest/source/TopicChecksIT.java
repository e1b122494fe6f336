package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

final class TopicChecksIT {
    private static final int STREAMS = 100;

    /** A broker asked for a topic at once after it was created says that there is none, every so often. */
    @Test
    void waitsUntilABrokerKnowsTheDeadLetterTopicsItMade() throws Exception {
        List<String> streams =
                IntStream.range(0, STREAMS).mapToObj(i -> "logs-" + i).toList();
        Properties properties = new Properties();
        try (Service kafka = TestServices.kafka()) {
            properties.setProperty("bootstrap.servers", kafka.address());
            try (Admin client = Admin.create(Map.of("bootstrap.servers", kafka.address()));
                    TopicAdmin admin = new TopicAdmin(properties)) {
                client.createTopics(streams.stream()
                                .map(stream -> new NewTopic(stream, 1, (short) 1)
                                        .configs(Map.of("message.timestamp.type", "LogAppendTime")))
                                .toList())
                        .all()
                        .get();
                Waiting.until("the streams are there", () -> topics(client).containsAll(streams));
                TopicChecks.check(admin, streams, new MinRetention(Duration.ofHours(1), 2L << 30));
                Set<String> expected = new HashSet<>(streams);
                streams.forEach(stream -> expected.add(stream + TopicChecks.DEAD_LETTER_SUFFIX));
                assertThat(topics(client)).containsAll(expected);
            }
        }
    }

    private static Set<String> topics(Admin client) throws IOException, InterruptedException {
        try {
            return client.listTopics().names().get();
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }
}
