package io.cordwood.search.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.RowPosition;
import io.cordwood.query.search.TailRows;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.api.Output;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Pace;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import io.cordwood.search.logql.regex.Matching;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Makes messages of the rows of a tail: lines by their streams, and how many were dropped. Not thread-safe. */
final class TailMessages {
    private static final Duration MAX_TIME = Duration.ofSeconds(10);

    private final LogQuery query;
    private final String stream;
    private final Pipeline pipeline;
    private final boolean categorizes;
    /** Rows that the first message already had. */
    private final Set<RowPosition> sent = new HashSet<>();

    private final AtomicLong worked = new AtomicLong();
    private Optional<RowLines> rowLines = Optional.empty();
    private List<QueryColumn> columns = List.of();

    TailMessages(LogQuery query, String stream, boolean categorizes) {
        this.query = query;
        this.stream = stream;
        this.pipeline = new Pipeline(query.stages());
        this.categorizes = categorizes;
    }

    /** The message of lines from before the tail, oldest first. */
    String first(List<LineSearch.FoundLine> found) {
        found.forEach(line -> sent.add(line.position()));
        return message(found.stream().map(LineSearch.FoundLine::line).toList(), Optional.empty());
    }

    /** The message of rows that arrived; empty if it would have nothing. */
    Optional<String> next(List<TailRows> received) {
        List<LogLine> lines = new ArrayList<>();
        Pace pace = new Pace(deadline(), worked);
        long dropped = 0;
        boolean hasSkipped = false;
        for (TailRows rows : received) {
            dropped += rows.dropped();
            hasSkipped |= rows.skipped() > 0;
            Matching.run(pace, () -> add(rows, lines));
        }
        // How many were skipped tells a tenant what others send
        Optional<String> lost = hasSkipped
                ? Optional.of("some")
                : Optional.of(Long.toString(dropped)).filter(count -> !count.equals("0"));
        return lines.isEmpty() && lost.isEmpty() ? Optional.empty() : Optional.of(message(lines, lost));
    }

    private void add(TailRows rows, List<LogLine> lines) {
        for (int row = 0; row < rows.rows().size(); row++) {
            Matching.check();
            LogLine line = rowLines(rows.columns())
                    .line(rows.rows().vectors(), rows.rows().places()[row]);
            boolean isNew = !sent.contains(rows.rows().positions().get(row));
            if (isNew && LineSearch.selects(query, line) && pipeline.keeps(line)) {
                lines.add(line);
            }
        }
    }

    /** Ends work on rows that takes too long: a tail must not fall behind, and nobody else waits for its query. */
    private static Runnable deadline() {
        long begun = System.nanoTime();
        return () -> {
            if (System.nanoTime() - begun > MAX_TIME.toNanos()) {
                throw new ApiException(
                        422,
                        "limit_exceeded",
                        "The query takes longer than %d s for the lines that arrive".formatted(MAX_TIME.toSeconds()));
            }
        };
    }

    private RowLines rowLines(List<QueryColumn> current) {
        if (rowLines.isEmpty() || !columns.equals(current)) {
            columns = current;
            rowLines = Optional.of(new RowLines(TableLabels.of(stream, current), current));
        }
        return rowLines.get();
    }

    private String message(List<LogLine> lines, Optional<String> lost) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = Output.JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeFieldName("streams");
            StreamsBody.write(json, lines, categorizes);
            if (categorizes) {
                json.writeFieldName("encodingFlags");
                LokiBody.write(json, List.of(LokiParameters.CATEGORIZE_LABELS));
            }
            if (lost.isPresent()) {
                json.writeArrayFieldStart("dropped_entries");
                json.writeStartObject();
                json.writeStringField("timestamp", Long.toString(System.currentTimeMillis() * 1_000_000));
                json.writeFieldName("labels");
                LokiBody.write(json, Map.of(StreamChoice.LABEL, stream, "lines", lost.get()));
                json.writeEndObject();
                json.writeEndArray();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("A message cannot be written to memory", e);
        }
        return bytes.toString(UTF_8);
    }
}
