package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.TableOffsets;
import io.cordwood.catalog.TableSchemas;
import io.cordwood.logblock.TimeRange;
import io.cordwood.record.DecodingPolicy;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

final class HotScanIT {
    @Test
    void aChunkOfWhichAllThatIsWantedIsInMemoryNeedsNoReading() throws Exception {
        Properties client = new Properties();
        try (Service kafka = TestServices.kafka()) {
            client.setProperty("bootstrap.servers", kafka.address());
            try (HotTier tier = new HotTier(client, DecodingPolicy.DEFAULT, 1 << 20);
                    Admin admin = Admin.create(client);
                    KafkaProducer<String, String> producer =
                            new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
                KafkaTopics.create(admin, new NewTopic("logs", 1, (short) 1));
                send(producer, "acme", 5);
                send(producer, "other", 5);
                TailVersion end = tier.end("logs").orElseThrow();
                OffsetSpan all = new OffsetSpan(0, 0, 10);
                assertThat(rows(tier, end.topicId(), HotSpan.unknown(all))).isEqualTo(5);
                send(producer, "other", 10);

                OffsetSpan longer = new OffsetSpan(0, 0, 20);
                HotSpan firstFew = new HotSpan(longer, List.of(new OffsetSpan(0, 0, 5)), TimeRange.ALL);
                assertThat(rows(tier, end.topicId(), firstFew)).isEqualTo(5);
            }
        }
    }

    private static long rows(HotTier tier, String topicId, HotSpan span) {
        HotTable table = new HotTable(
                "acme", "", TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of()), TableOffsets.NONE);
        long rows = 0;
        try (HotScan scan = tier.scan(
                "logs",
                topicId,
                List.of(span),
                HotTables.one(table),
                new ReadLimits(1 << 20, Duration.ofSeconds(30)),
                true,
                new TailMetrics())) {
            while (!scan.isDone()) {
                rows += scan.next().stream().mapToLong(HotLogBlock::rowCount).sum();
            }
        }
        return rows;
    }

    private static void send(KafkaProducer<String, String> producer, String tenantId, int rows) throws Exception {
        for (int row = 0; row < rows; row++) {
            producer.send(new ProducerRecord<>("logs", 0, tenantId, "{\"n\":%d}".formatted(row)))
                    .get();
        }
    }
}
