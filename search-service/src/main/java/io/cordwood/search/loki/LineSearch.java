package io.cordwood.search.loki;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowPosition;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Pace;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import io.cordwood.search.logql.regex.Matching;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the first lines of a query in order, page by page where stages drop rows. Stateless. */
final class LineSearch {
    private static final int FIRST_PAGE = 1_000;
    private static final int MAX_PAGE = 20_000;
    private static final int GROWTH = 4;

    /** Of lines and labels together. */
    private static final long MAX_LENGTH = 8 << 20;

    private LineSearch() {}

    /**
     * A line.
     *
     * @param position position of its row
     */
    record FoundLine(RowPosition position, LogLine line) {}

    /** Lines that were found, up to a number of them, and within a bound of memory. */
    private static final class FoundLines {
        private final int limit;
        private final List<FoundLine> found = new ArrayList<>();
        private long length;

        FoundLines(int limit) {
            this.limit = limit;
        }

        boolean isFull() {
            return found.size() >= limit;
        }

        void add(FoundLine line) {
            found.add(line);
            length += line.line().length();
            if (length > MAX_LENGTH) {
                throw new ApiException(
                        422,
                        "limit_exceeded",
                        "The first %,d lines have more than %,d characters: use a smaller limit"
                                .formatted(found.size(), MAX_LENGTH));
            }
        }
    }

    /** The lines. */
    static List<FoundLine> find(LokiTable table, LogQuery query, TimeRange time, boolean newestFirst, int limit) {
        Pushdown pushdown = Pushdown.of(query, table.labels());
        ScanFilter filter = pushdown.filter(time);
        Pipeline pipeline = new Pipeline(query.stages());
        List<QueryColumn> columns = table.labels().all();
        RowLines rowLines = new RowLines(table.labels(), columns);
        FoundLines lines = new FoundLines(limit);
        int page = pushdown.isExact() ? limit : Math.max(limit, FIRST_PAGE);
        // A query may do much with each line
        Pace pace = new Pace(table.scan()::checkLimits);
        Optional<PageStart> start = Optional.empty();
        do {
            RowQuestion question = new RowQuestion(filter, newestFirst, page, start, columns);
            try (RowAnswer rows = RowSearch.find(table.scan(), question)) {
                Matching.run(pace, () -> read(rows, query, pipeline, rowLines, lines, pace));
                start = rows.next();
            }
            page = Math.min(MAX_PAGE, page * GROWTH);
        } while (!lines.isFull() && start.isPresent());
        return lines.found;
    }

    private static void read(
            RowAnswer rows, LogQuery query, Pipeline pipeline, RowLines rowLines, FoundLines lines, Pace pace) {
        Optional<RowChunk> chunk = rows.nextChunk();
        while (chunk.isPresent() && !lines.isFull()) {
            pace.resume();
            for (int row = 0; row < chunk.get().size() && !lines.isFull(); row++) {
                pace.run();
                LogLine line = rowLines.line(chunk.get().vectors(), chunk.get().places()[row]);
                if (selects(query, line) && pipeline.keeps(line)) {
                    lines.add(new FoundLine(chunk.get().positions().get(row), line));
                }
            }
            chunk = lines.isFull() ? chunk : rows.nextChunk();
        }
    }

    /** Whether the selector of a query selects a line. */
    static boolean selects(LogQuery query, LogLine line) {
        return query.selector().stream().allMatch(matcher -> matcher.matches(line.label(matcher.label())));
    }
}
