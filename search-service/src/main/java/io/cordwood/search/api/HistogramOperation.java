package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.Timestamps;
import io.cordwood.query.search.Histogram;
import io.cordwood.query.search.Histogram.Bucket;
import io.cordwood.query.search.ValueCount;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code histogram}: counts over time, in total or by the value of a column. */
final class HistogramOperation implements Operation {
    private static final int DEFAULT_BUCKETS = 60;
    private static final int MAX_VALUES = 20;
    private static final int MAX_BUCKETS_BY = 1000;

    private record Request(
            Condition condition, Optional<Integer> buckets, Optional<Long> interval, Optional<String> by) {}

    @Override
    public Answer prepare(RequestFields fields) {
        Request request = new Request(
                Condition.of(fields),
                fields.integer("buckets", 1, BucketLength.MAX_BUCKETS),
                fields.text("interval").map(BucketLength::parse),
                fields.text("by"));
        fields.requireNoOthers();
        if (request.buckets().isPresent() && request.interval().isPresent()) {
            throw ApiException.invalid("Use 'buckets' or 'interval', not both");
        }
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(Request request, Asked asked, Output output) throws IOException {
        ScanFilter filter = request.condition().filter(asked.table());
        TimeRange time = filter.time();
        if (time.fromMicros() == Long.MIN_VALUE || time.toMicros() == Long.MAX_VALUE) {
            throw ApiException.invalid("A histogram needs 'from' and 'to', such as now-1h and now");
        }
        long fromMillis = Math.floorDiv(time.fromMicros(), 1000);
        long toMillis = Math.floorDiv(time.toMicros(), 1000);
        long length = request.interval()
                .orElseGet(() -> BucketLength.of(
                        toMillis - fromMillis + 1, request.buckets().orElse(DEFAULT_BUCKETS)));
        TimeBin bin = new TimeBin.Bin(length);
        long buckets = (bin.millis(time.toMicros()) - bin.millis(time.fromMicros())) / length + 1;
        if (buckets > BucketLength.MAX_BUCKETS) {
            throw ApiException.invalid("The interval gives more than %,d buckets; use a longer one or less time"
                    .formatted(BucketLength.MAX_BUCKETS));
        }
        Optional<QueryColumn> by = request.by().map(name -> VisibleColumns.named(asked.table(), name));
        by.ifPresent(ValuesOperation::requireCountable);
        if (by.isPresent() && buckets > MAX_BUCKETS_BY) {
            throw ApiException.invalid(
                    "With 'by' a histogram has at most %,d buckets; use a longer interval".formatted(MAX_BUCKETS_BY));
        }
        Histogram histogram = Histogram.count(asked.scan(), filter, bin, by);
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeNumberField("interval_ms", length);
            json.writeArrayFieldStart("buckets");
            if (!time.isEmpty()) {
                long last = bin.millis(time.toMicros());
                for (long start = bin.millis(time.fromMicros()); start <= last; start += length) {
                    write(json, start, Optional.ofNullable(histogram.buckets().get(start)), by);
                }
            }
            json.writeEndArray();
            if (by.isPresent()) {
                json.writeBooleanField("approximate", histogram.isApproximate());
            }
            ShownStatistics.write(json, asked);
            json.writeEndObject();
        }
    }

    private static void write(JsonGenerator json, long start, Optional<Bucket> bucket, Optional<QueryColumn> by)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("start", Timestamps.text(Math.multiplyExact(start, 1000L)));
        json.writeArrayFieldStart("counts");
        long rows = bucket.map(Bucket::rows).orElse(0L);
        if (by.isEmpty()) {
            ValuesOperation.write(json, new ValueCount(Optional.empty(), rows));
        }
        List<ValueCount> counts = bucket.map(Bucket::counts).orElse(List.of());
        for (ValueCount count : counts.subList(0, Math.min(MAX_VALUES, counts.size()))) {
            ValuesOperation.write(json, count);
            rows -= count.rows();
        }
        json.writeEndArray();
        if (by.isPresent() && rows > 0) {
            json.writeNumberField("other", rows);
        }
        json.writeEndObject();
    }
}
