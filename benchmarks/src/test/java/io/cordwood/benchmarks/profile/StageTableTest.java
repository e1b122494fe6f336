package io.cordwood.benchmarks.profile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.InputStream;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StageTableTest {
    private static final Pattern OWN_CLASS = Pattern.compile("io\\.cordwood(\\.[a-z]+)+\\.[A-Z][A-Za-z0-9$]*");

    private final StageTable table = StageTable.parse("""
            # a comment
            [compile]
            thread C1 Compiler

            [open]
            within a.File.open

            [special]
            at a.b.Special

            [general]
            at a.b.
            """);

    @Test
    void innermostFrameThatARuleFitsDecides() {
        assertThat(table.stage(List.of("java.util.List.of", "a.b.Other.run", "a.b.Special.run")))
                .isEqualTo("general");
    }

    @Test
    void firstRuleInTheTableDecidesAboutAFrame() {
        assertThat(table.stage(List.of("a.b.Special.run"))).isEqualTo("special");
    }

    @Test
    void anyFrameIsEnoughForWithin() {
        assertThat(table.stage(List.of("a.b.Special.run", "a.File.open", "a.b.Other.run")))
                .isEqualTo("open");
    }

    @Test
    void stacksThatNoRuleFitsAreOther() {
        assertThat(table.stage(List.of("java.lang.Thread.run"))).isEqualTo(StageTable.OTHER);
        assertThat(table.stage(List.of())).isEqualTo(StageTable.OTHER);
    }

    @Test
    void threadsOfTheJvmHaveStages() {
        assertThat(table.stageOfThread("C1 CompilerThre")).contains("compile");
        assertThat(table.stageOfThread("main")).isEmpty();
    }

    @Test
    void unknownRulesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> StageTable.parse("[a]\nnear b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query.stages  | io.trino.sql.planner.LogicalPlanner.plan      | Trino: parse, analyze, plan",
                "query.stages  | io.cordwood.logblock.scan.RowSelector.select       | LogBlock: evaluate index and predicates",
                "query.stages  | io.cordwood.logblock.parquet.ParquetFile.read | LogBlock: decode pages",
                "query.stages  | io.cordwood.query.snapshot.QueryCatalog.pointers    | catalog calls",
                "ingest.stages | io.cordwood.record.decode.JsonRowDecoder.decode      | decode",
                "ingest.stages | io.cordwood.record.buffer.RowBuffer.append           | buffer",
                "ingest.stages | io.cordwood.record.assemble.RowOrder.merge             | sort",
                "ingest.stages | io.cordwood.record.assemble.RowAssembler.assemble      | assemble columns",
                "ingest.stages | io.cordwood.catalog.io.LocalOutputStream.write   | upload",
                "ingest.stages | io.cordwood.ingest.storage.CatalogTableStorage.commit         | commit",
            })
    void tablesOfTheBenchmarksCanBeRead(String resource, String frame, String stage) throws Exception {
        assertThat(StageTable.load(resource).stage(List.of(frame))).isEqualTo(stage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest.stages", "compaction.stages", "catalog.stages"})
    void rulesNameClassesThatAreThere(String resource) throws Exception {
        List<String> names;
        try (InputStream in = StageTable.class.getResourceAsStream(resource)) {
            names = OWN_CLASS
                    .matcher(new String(in.readAllBytes(), UTF_8))
                    .results()
                    .map(MatchResult::group)
                    .toList();
        }

        assertThat(names)
                .isNotEmpty()
                .allSatisfy(name -> Class.forName(name, false, getClass().getClassLoader()));
    }
}
