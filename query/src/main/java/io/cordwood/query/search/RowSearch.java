package io.cordwood.query.search;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.TopN;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the first rows of a table in order (TencentCLS, section 4.2: tail and head queries): by time, and within a
 * microsecond by their place in Kafka. Stateless.
 *
 * <p>First it reads times only, of as many rows as are wanted, and their places; then the values of the rows that
 * remain. A page that begins after a row repeats none and misses none, in the same snapshot or in a later one, where
 * rows that came since may be added.
 */
public final class RowSearch {
    private static final int GROWTH = 4;

    private RowSearch() {}

    /** Finds the rows; the caller closes the answer. */
    public static RowAnswer find(TableScan scan, RowQuestion question) {
        int count = question.limit() + question.start().map(PageStart::ties).orElse(0);
        while (true) {
            RowCandidates candidates = new RowCandidates(scan, question.newestFirst(), count);
            try {
                scan.run(filter(question), request(question, count), Demand.FIRST_ROWS, candidates);
                List<RowSource> sources = candidates.sources();
                List<FoundRow> found = ordered(sources, question);
                if (found.size() >= question.limit() || candidates.isAll()) {
                    List<FoundRow> rows = found.subList(0, Math.min(question.limit(), found.size()));
                    return new RowAnswer(scan, sources, rows, question.columns(), next(rows, question));
                }
            } catch (RuntimeException e) {
                candidates.finish();
                throw e;
            }
            // More rows than estimated lie before the page, at the time of its first row
            candidates.finish();
            count = Math.multiplyExact(count, GROWTH);
        }
    }

    private static ScanFilter filter(RowQuestion question) {
        return question.start()
                .map(start -> start.position().micros())
                .map(micros -> question.filter()
                        .within(
                                question.newestFirst()
                                        ? new TimeRange(Long.MIN_VALUE, micros)
                                        : new TimeRange(micros, Long.MAX_VALUE)))
                .orElse(question.filter());
    }

    private static ScanRequest request(RowQuestion question, int count) {
        // Read to order the rows; the values come later
        return new ScanRequest(
                List.of(QueryColumn.TS),
                false,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(new TopN(count, question.newestFirst(), true, false)));
    }

    private static List<FoundRow> ordered(List<RowSource> sources, RowQuestion question) {
        List<FoundRow> found = new ArrayList<>();
        for (RowSource source : sources) {
            try {
                found.addAll(source.positions());
            } catch (IOException | RuntimeException e) {
                throw source.reader().failure(e);
            }
        }
        question.start()
                .ifPresent(start -> found.removeIf(row -> !start.admits(row.position(), question.newestFirst())));
        Comparator<FoundRow> order = Comparator.comparing(FoundRow::position);
        found.sort(question.newestFirst() ? order.reversed() : order);
        return found;
    }

    private static Optional<PageStart> next(List<FoundRow> rows, RowQuestion question) {
        if (rows.size() < question.limit()) {
            return Optional.empty();
        }
        RowPosition last = rows.getLast().position();
        int ties = (int) rows.stream()
                .filter(row -> row.position().micros() == last.micros())
                .count();
        int before = question.start()
                .filter(start -> start.position().micros() == last.micros())
                .map(PageStart::ties)
                .orElse(0);
        return Optional.of(PageStart.after(last, ties + before));
    }
}
