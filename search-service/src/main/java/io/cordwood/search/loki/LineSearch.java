package io.cordwood.search.loki;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the first lines of a query in order, page by page where stages drop rows. Stateless. */
final class LineSearch {
    private static final int FIRST_PAGE = 1_000;
    private static final int MAX_PAGE = 20_000;
    private static final int GROWTH = 4;

    private LineSearch() {}

    /** The lines. */
    static List<LogLine> find(LokiTable table, LogQuery query, TimeRange time, boolean newestFirst, int limit) {
        Pushdown pushdown = Pushdown.of(query, table.labels());
        ScanFilter filter = pushdown.filter(time);
        Pipeline pipeline = new Pipeline(query.stages());
        List<QueryColumn> columns = table.labels().all();
        RowLines rowLines = new RowLines(table.labels(), columns);
        List<LogLine> lines = new ArrayList<>();
        int page = pushdown.isExact() ? limit : Math.max(limit, FIRST_PAGE);
        Optional<PageStart> start = Optional.empty();
        do {
            RowQuestion question = new RowQuestion(filter, newestFirst, page, start, columns);
            try (RowAnswer rows = RowSearch.find(table.scan(), question)) {
                read(rows, query, pipeline, rowLines, lines, limit);
                start = rows.next();
            }
            page = Math.min(MAX_PAGE, page * GROWTH);
        } while (lines.size() < limit && start.isPresent());
        return lines;
    }

    private static void read(
            RowAnswer rows, LogQuery query, Pipeline pipeline, RowLines rowLines, List<LogLine> lines, int limit) {
        Optional<RowChunk> chunk = rows.nextChunk();
        while (chunk.isPresent() && lines.size() < limit) {
            for (int row = 0; row < chunk.get().size() && lines.size() < limit; row++) {
                LogLine line = rowLines.line(chunk.get().vectors(), row);
                if (selects(query, line) && pipeline.keeps(line)) {
                    lines.add(line);
                }
            }
            chunk = lines.size() < limit ? rows.nextChunk() : chunk;
        }
    }

    /** Whether the selector of a query selects a line. */
    static boolean selects(LogQuery query, LogLine line) {
        return query.selector().stream().allMatch(matcher -> matcher.matches(line.label(matcher.label())));
    }
}
