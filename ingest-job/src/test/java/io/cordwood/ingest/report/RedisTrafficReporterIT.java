package io.cordwood.ingest.report;

import io.cordwood.ingest.report.TrafficReport.PartitionTraffic;
import io.cordwood.ingest.report.TrafficReport.Traffic;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

@Timeout(60)
class RedisTrafficReporterIT {
    private static TrafficReport report(long toMillis) {
        return new TrafficReport(
                "1",
                0,
                toMillis,
                Map.of("logs", Map.of(3, new PartitionTraffic(1, 9, Map.of("acme", new Traffic(3, 150))))));
    }

    @Test
    void writesTheLatestReportOfEachPartitionAndOutlivesAnOutage() throws Exception {
        try (Service redis = TestServices.redis();
                RedisTrafficReporter reporter = new RedisTrafficReporter(URI.create(redis.url()))) {
            reporter.report(report(1));
            awaitReport(redis, "\"to\":1,");
            redis.kill();
            reporter.report(report(2));
            redis.restart();
            // What was dropped does not come back; later ones arrive.
            for (long number = 3; !written(redis).contains("\"from\":9"); number++) {
                reporter.report(new TrafficReport("1", 9, number, report(number).streams()));
            }
        }
    }

    private static void awaitReport(Service redis, String text) throws Exception {
        Waiting.until("%s is reported".formatted(text), () -> written(redis).contains(text));
    }

    private static String written(Service redis) {
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            String report = jedis.hget("cordwood:traffic:logs", "3");
            return report == null ? "" : report;
        }
    }
}
