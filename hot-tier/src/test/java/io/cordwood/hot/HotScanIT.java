package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.record.policy.DecodingPolicy;
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
    private HotReadMetrics metrics = new HotReadMetrics();

    @Test
    void aChunkWithAllRequestedRowsInMemoryNeedsNoReading() throws Exception {
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
                LogEnds end = tier.end("logs").orElseThrow();
                OffsetSpan all = new OffsetSpan(0, 0, 10);
                assertThat(rows(tier, end.log(), HotSpan.unknown(all))).isEqualTo(5);
                send(producer, "other", 10);

                OffsetSpan longer = new OffsetSpan(0, 0, 20);
                HotSpan firstFew = new HotSpan(longer, List.of(new OffsetSpan(0, 0, 5)), TimeRange.ALL);
                assertThat(rows(tier, end.log(), firstFew)).isEqualTo(5);

                // What it holds then need not be what it held
                kafka.kill();
                kafka.restart();
                LogEnds after = tier.end("logs").orElseThrow();
                assertThat(after.log().leaderEpoch(0)).isGreaterThan(end.log().leaderEpoch(0));
                metrics = new HotReadMetrics();
                assertThat(rows(tier, after.log(), HotSpan.unknown(longer))).isEqualTo(5);
                assertThat(metrics.recordsRead.sum()).isEqualTo(20);
                assertThat(metrics.chunksCached.sum()).isZero();
                assertThat(rows(tier, after.log(), HotSpan.unknown(longer))).isEqualTo(5);
                assertThat(metrics.chunksCached.sum()).isEqualTo(1);

                send(producer, "acme", 1);
                HotSpan withNew = HotSpan.unknown(new OffsetSpan(0, 0, 21));
                assertThatThrownBy(() -> rows(tier, end.log(), withNew))
                        .as("a record below the end that was not there when the end was found")
                        .isInstanceOf(HotTierException.class)
                        .hasMessageContaining("lost records of topic 'logs'");
                assertThat(rows(tier, tier.end("logs").orElseThrow().log(), withNew))
                        .isEqualTo(6);
            }
        }
    }

    private long rows(HotTier tier, LogVersion log, HotSpan span) {
        HotTable table = new HotTable(
                "acme", "", TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of()), TableOffsets.NONE);
        long rows = 0;
        try (HotScan scan = tier.scan(
                "logs",
                log,
                List.of(span),
                HotTables.one(table),
                new ReadLimits(1 << 20, Duration.ofSeconds(30)),
                true,
                metrics)) {
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
