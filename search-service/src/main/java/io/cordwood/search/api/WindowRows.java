package io.cordwood.search.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.SearchTime;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.search.Histogram;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.search.TableScan;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a window of time that match a query of the search bar. Immutable.
 *
 * @param query the query
 * @param from the first time of the window
 * @param to the first time after it
 * @param now the time that {@code now} stands for in the query
 */
public record WindowRows(String query, Instant from, Instant to, Instant now) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Counts them. @throws ApiException if the query is malformed or does not fit the table */
    public long count(TableScan scan) {
        TimeBin bin = new TimeBin.Bin(Math.max(1, Duration.between(from, to).toMillis()));
        return Histogram.count(scan, filter(scan), bin, Optional.empty()).buckets().values().stream()
                .mapToLong(Histogram.Bucket::rows)
                .sum();
    }

    /**
     * The newest of them as JSON, newest first.
     *
     * @throws ApiException if the query is malformed or does not fit the table
     */
    public List<String> newest(TableScan scan, int limit) {
        List<QueryColumn> columns = SearchRequest.shown(scan.table());
        RowQuestion question = new RowQuestion(filter(scan), true, limit, Optional.empty(), columns);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (RowAnswer rows = RowSearch.find(scan, question);
                JsonGenerator json = JSON.createGenerator(lines).setRootValueSeparator(null)) {
            RowWriter writer = RowWriter.withoutCursors(json, columns);
            for (Optional<RowChunk> chunk = rows.nextChunk(); chunk.isPresent(); chunk = rows.nextChunk()) {
                writer.write(chunk.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.toString(UTF_8).lines().toList();
    }

    private ScanFilter filter(TableScan scan) {
        TimeRange time = new TimeRange(SearchTime.micros(from), SearchTime.micros(to) - 1);
        return Condition.of(query, time, now).filter(scan.table());
    }
}
