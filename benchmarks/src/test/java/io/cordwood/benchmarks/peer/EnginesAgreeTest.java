package io.cordwood.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DerivedQueries;
import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.data.RequestRow;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.scan.ReadOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compared gives the same answers: ours and Lucene, on generated rows, with answers from the raw lines. */
final class EnginesAgreeTest {
    private static final int ROWS = 3_000;

    @TempDir
    private Path directory;

    @Test
    void onEveryQueryOfTheSet() throws Exception {
        Path ndjson = directory.resolve("rows.ndjson");
        RequestLogGenerator.write(ndjson, ROWS, 50, 24);
        List<BenchQuery> queries = DerivedQueries.of(ndjson);
        TenantLogBlocks tenants = new TenantLogBlocks();
        tenants.load(ndjson);
        assertThat(tenants.decode()).isEqualTo(ROWS);
        Map<String, TenantTable> tables =
                tenants.write(directory.resolve("logblocks")).tables();

        try (LucenePeer lucene = LucenePeer.in(directory.resolve("lucene"), false);
                EnginePeer ours = new EnginePeer(tables, FileRangeReader::new, ReadOptions.DEFAULTS)) {
            RequestRow.forEach(ndjson, lucene::add);
            lucene.finish();
            assertThat(queries).hasSize(32);
            for (BenchQuery query : queries) {
                Peer.Answer answer = ours.ask(query).answer();
                assertThat(answer.rows()).as(query.name()).isEqualTo(query.expected());
                assertThat(lucene.ask(query).answer().rows()).as(query.name()).isEqualTo(query.expected());
                if (List.of("Q5", "Q6", "Q7").contains(query.template())) {
                    assertThat(lucene.ask(query).answer()).as(query.name()).isEqualTo(answer);
                }
                assertThat(ours.ask(query.overEmptyRange()).answer()).isEqualTo(Peer.Answer.NOTHING);
                assertThat(lucene.ask(query.overEmptyRange()).answer()).isEqualTo(Peer.Answer.NOTHING);
            }
        }
    }

    @Test
    void onlyLogBlocksThatAreNeededAreOpened() throws Exception {
        List<String> lines = new ArrayList<>();
        RequestLogGenerator.lines(ROWS, 1, 24).forEach(lines::add);
        List<TenantTable> parts = new ArrayList<>();
        for (int part = 0; part < 3; part++) {
            parts.add(TenantLogBlocks.write(
                    directory.resolve("part-" + part), "1", lines.subList(part * ROWS / 3, (part + 1) * ROWS / 3)));
        }
        BenchQuery newest = new BenchQuery(
                "Q5",
                "1",
                "24h",
                RequestLogGenerator.START,
                RequestLogGenerator.START + 24 * RequestLogGenerator.HOUR,
                new ObjectMapper().createObjectNode().put("limit", 100),
                100);

        try (EnginePeer ours =
                new EnginePeer(Map.of("1", TenantTable.of(parts)), FileRangeReader::new, ReadOptions.DEFAULTS)) {
            assertThat(newest.isRight(ours.ask(newest).answer().rows())).isTrue();
            assertThat(ours.opened()).isEqualTo(1);
        }
    }
}
