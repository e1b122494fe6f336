package io.cordwood.benchmarks.logblock;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.data.RequestRow;
import io.cordwood.benchmarks.peer.Comparison;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.LucenePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.scan.ReadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * TencentCLS's comparison (section 5.1): oldest rows (head), newest rows (tail) and counts by minute (histogram) of the
 * middle half of a tenant's time, with and without a term, against Lucene. Also measures the reads of head and tail
 * while the table grows. Not thread-safe.
 */
final class TimeOrder {
    private static final String TENANT = "1";
    private static final String TERM = "shanghai";
    private static final int LIMIT = 100;
    private static final int HOURS = 48;
    private static final int BATCHES = 40;
    /** Out of 20 million rows: after half a million and 5 million. */
    private static final List<Integer> GROWN = List.of(1, 10);

    private static final Map<String, String> NAMES = Map.of("Q5", "tail", "Q6", "head", "Q7", "histogram");
    private static final double LEAST_MILLIS = 0.05;
    private static final int WARM_UP_ROUNDS = 20;

    private final Report report;
    private final Path directory;
    private final int rows;
    private final int runs;
    private final List<TenantTable> parts = new ArrayList<>();

    TimeOrder(Report report, Path directory, int rows, int runs) {
        this.report = report;
        this.directory = directory;
        this.rows = rows;
        this.runs = runs;
    }

    void measure() throws Exception {
        try (LucenePeer lucene = LucenePeer.in(directory.resolve("lucene"), true)) {
            build(lucene);
            grown();
            lucene.finish();
            try (EnginePeer ours = engine()) {
                compare(ours, lucene);
            }
        }
    }

    /** Writes a LogBlock of each batch while Lucene indexes the same rows. */
    private void build(LucenePeer lucene) throws Exception {
        try (ExecutorService worker = Executors.newSingleThreadExecutor()) {
            Iterator<String> lines = RequestLogGenerator.lines(rows, 1, HOURS).iterator();
            int begun = 0;
            while (lines.hasNext()) {
                List<String> batch = take(lines, Math.ceilDiv(rows, BATCHES));
                Path part = directory.resolve("part-" + begun++);
                Future<TenantTable> written = worker.submit(() -> TenantLogBlocks.write(part, TENANT, batch));
                for (String line : batch) {
                    lucene.add(RequestRow.parse(line));
                }
                parts.add(written.get());
                if (GROWN.contains(parts.size())) {
                    grown();
                }
            }
        }
    }

    private static List<String> take(Iterator<String> lines, int count) {
        List<String> batch = new ArrayList<>(count);
        while (batch.size() < count && lines.hasNext()) {
            batch.add(lines.next());
        }
        return batch;
    }

    private EnginePeer engine() {
        return new EnginePeer(Map.of(TENANT, TenantTable.of(parts)), FileRangeReader::new, ReadOptions.DEFAULTS);
    }

    /** Reports the LogBlocks that head and tail open and the bytes that they read so far, each without caches. */
    private void grown() throws IOException {
        long count = Math.min(rows, (long) parts.size() * Math.ceilDiv(rows, BATCHES));
        for (String template : List.of("Q6", "Q5")) {
            for (boolean term : List.of(false, true)) {
                BenchQuery query = query(template, term, count);
                String name = "growth/%s%s/%d".formatted(NAMES.get(template), term ? "_term" : "", count);
                try (EnginePeer engine = engine()) {
                    double[] millis = new double[runs];
                    Peer.Run first = engine.ask(query);
                    long requests = engine.lastMetrics().requests.sum();
                    for (int run = 0; run < runs; run++) {
                        millis[run] = engine.ask(query).millis();
                    }
                    report.add(name, "logblocks", parts.size(), "LogBlocks");
                    report.add(name, "logblocks_opened", engine.opened(), "LogBlocks");
                    report.add(name, "bytes_read", (double) first.bytes(), "bytes");
                    report.add(name, "requests", (double) requests, "requests");
                    report.add(name, "median_ms", Percentiles.of(millis).median(), "ms");
                }
            }
        }
    }

    /** A query over the middle half of the time of the first rows. */
    private BenchQuery query(String template, boolean term, long count) {
        long micros = (long) (HOURS * RequestLogGenerator.HOUR * ((double) count / rows));
        ObjectNode parameters = new ObjectMapper().createObjectNode().put("limit", LIMIT);
        if (term) {
            parameters.put("token", TERM);
        }
        return new BenchQuery(
                template,
                TENANT,
                "half_of_%d%s".formatted(count, term ? "/term" : ""),
                RequestLogGenerator.START + micros / 4,
                RequestLogGenerator.START + micros / 4 * 3,
                parameters,
                0);
    }

    private void compare(Peer ours, Peer lucene) throws IOException, SQLException {
        List<BenchQuery> queries = new ArrayList<>();
        int equal = 0;
        for (String template : List.of("Q6", "Q5", "Q7")) {
            for (boolean term : List.of(false, true)) {
                BenchQuery query = query(template, term, rows);
                Peer.Answer answer = ours.ask(query).answer();
                equal += answer.equals(lucene.ask(query).answer()) ? 1 : 0;
                queries.add(query.expecting(answer.rows()));
            }
        }
        report.add("head, tail, histogram", "answers_right", equal, "queries");
        report.add("head, tail, histogram", "answers_total", queries.size(), "queries");
        WarmUp.run(ours, List.of(lucene), queries, WARM_UP_ROUNDS);
        new Comparison(report, ours, List.of(lucene), LEAST_MILLIS, runs)
                .measure(queries, query -> NAMES.get(query.template()));
    }
}
