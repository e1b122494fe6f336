package io.cordwood.benchmarks.logblock;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DerivedQueries;
import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.data.RequestRow;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.record.UndecodableRecordException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Searches for a token in one of very many small LogBlocks of a tenant, without a helpful time range. Stateless. */
final class NeedleSearch {
    private static final String TENANT = "1";
    private static final int ROWS_EACH = 200;
    private static final int HOURS = 48;

    private NeedleSearch() {}

    static void measure(Report report, Path directory, int logBlocks) throws IOException, UndecodableRecordException {
        List<TenantTable> parts = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        String needle = "";
        for (String line : RequestLogGenerator.lines(logBlocks * ROWS_EACH, 1, HOURS)) {
            lines.add(line);
            if (lines.size() == ROWS_EACH) {
                parts.add(TenantLogBlocks.write(directory.resolve("part-" + parts.size()), TENANT, lines));
                if (parts.size() <= logBlocks / 2 + 1) {
                    needle = longestToken(lines.getLast());
                }
                lines.clear();
            }
        }
        TenantTable table = TenantTable.of(parts);
        BenchQuery query = new BenchQuery(
                "Q2",
                TENANT,
                "needle_in_" + table.blocks().size(),
                RequestLogGenerator.START,
                RequestLogGenerator.START + HOURS * RequestLogGenerator.HOUR,
                new ObjectMapper().createObjectNode().put("token", needle),
                1);
        report.add(
                "needle",
                "filter_bytes_per_logblock",
                table.blocks().stream()
                        .mapToInt(block ->
                                block.filter().map(TokenFilter::sizeInBytes).orElse(0))
                        .average()
                        .orElse(0),
                "bytes");
        int right = ColdReads.measure(report, List.of(query), Map.of(TENANT, table), 1);
        report.add("needle", "answers_right", right, "queries");
        report.add("needle", "answers_total", 1, "queries");
    }

    /** A token like a trace id. */
    private static String longestToken(String line) throws IOException {
        return DerivedQueries.tokens(RequestRow.parse(line).log()).stream()
                .max(Comparator.comparing(String::length))
                .orElseThrow();
    }
}
