package io.cordwood.search.loki;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is pushed down selects the rows that the stages keep: exactly these, or more. */
class PushdownTest {
    private static final List<QueryColumn> COLUMNS = List.of(
            QueryColumn.TS,
            QueryColumn.stored("message", ColumnType.VARCHAR, IndexKind.TEXT),
            QueryColumn.stored("app", ColumnType.VARCHAR, IndexKind.KEYWORD),
            QueryColumn.stored("status", ColumnType.BIGINT, IndexKind.NONE));
    private static final TableLabels LABELS = TableLabels.of("logs", COLUMNS);
    private static final int ROWS = 8;
    private static final Map<String, Vector> VALUES = Map.of(
            "ts",
            new LongVector(new long[ROWS], ROWS, NullMask.none()),
            "message",
            StringVector.of(
                    "a GET 100%",
                    "{\"app\":\"web\"}", "x_y", null, "", "get", "{\"status\":\"500\"}", "{\"app\":\"web\"}"),
            "app",
            StringVector.of("web", null, "db", "web", "", "webdb", null, ""),
            "status",
            longs(200L, 500L, null, 404L, 0L, -1L, null, 1L));

    private static LongVector longs(Long... values) {
        long[] numbers = new long[values.length];
        NullMask nulls = new NullMask(values.length);
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                nulls.set(i);
            } else {
                numbers[i] = values[i];
            }
        }
        return new LongVector(numbers, values.length, nulls);
    }

    private static BitSet pushed(Pushdown pushdown) {
        return PredicateEvaluator.evaluate(
                new Predicate.And(pushdown.conjuncts()), (Column column) -> VALUES.get(column.name()), ROWS);
    }

    private static BitSet kept(LogQuery query) {
        RowLines lines = new RowLines(LABELS, COLUMNS);
        List<Vector> vectors =
                COLUMNS.stream().map(column -> VALUES.get(column.name())).toList();
        Pipeline pipeline = new Pipeline(query.stages());
        BitSet kept = new BitSet();
        for (int row = 0; row < ROWS; row++) {
            LogLine line = lines.line(vectors, row);
            kept.set(row, LineSearch.selects(query, line) && pipeline.keeps(line));
        }
        return kept;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{app=\"web\"}",
                "{app!=\"web\"}",
                "{app=\"\"}",
                "{app!=\"\"}",
                "{app=~\"web|db\"}",
                "{app!~\"web|db\"}",
                "{app=~\"web.*\"}",
                "{app=~\".*db\"}",
                "{app!~\".*e.*\"}",
                "{app=~\".+\"}",
                "{app!~\".+\"}",
                "{app=~\".*\"}",
                "{app!~\".*\"}",
                "{app=~\"|db\"}",
                "{app!~\"|db\"}",
                "{status=\"200\"}",
                "{status!=\"200\"}",
                "{status=\"x\"}",
                "{status!=\"x\"}",
                "{status=\"\"}",
                "{status!=\"\"}",
                "{status=\"+200\"}",
                "{status=~\"200|404\"}",
                "{status!~\"200|404\"}",
                "{status=~\".+\"}",
                "{stream=\"logs\"}",
                "{stream!=\"logs\"}",
                "{} |= \"GET\"",
                "{} != \"GET\"",
                "{} |= \"%\"",
                "{} |= \"_\"",
                "{} |= \"GET\" or \"x\"",
                "{} != \"GET\" or \"x\"",
                "{} |= \"\"",
                "{} != \"\"",
                "{} |~ \"GET|get\"",
                "{} !~ \"GET|get\"",
                "{} |~ \"1.*\"",
                "{} | status > 200",
                "{} | status >= 200",
                "{} | status < 200",
                "{} | status <= 200",
                "{} | status = 200",
                "{} | status != 200",
                "{} | status > 200 or app=\"web\"",
                "{} | status > 200 and app=\"web\"",
                "{} | app=\"web\" | status < 300"
            })
    void exactOnes(String text) {
        LogQuery query = LogQl.parseLogQuery(text);
        Pushdown pushdown = Pushdown.of(query, LABELS);
        assertThat(pushdown.isExact()).isTrue();
        assertThat(pushed(pushdown)).isEqualTo(kept(query));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{app=~\"w[e]b\"}",
                "{status=~\"5..\"}",
                "{} |~ \"G.T\"",
                "{} | status > 1.5",
                "{} | app > 5",
                "{} | app > 5 | status > 300",
                "{} | app > 5 and app=\"web\"",
                "{} | app > 5 and status > 300",
                "{} | app > 5 or app=\"web\"",
                "{} | json | app=\"web\"",
                "{} | json | app_extracted=\"web\"",
                "{} | json | status > 300",
                "{} | json | status=\"500\"",
                "{} | json | status!=\"500\"",
                "{} |= \"GET\" | json",
                "{} | line_format \"x\" |= \"x\"",
                "{} | line_format \"{{add .app 1}}\" | status > 300",
                "{} | label_format app=\"web\" | app=\"web\"",
                "{} | drop app | app=\"\"",
                "{} | keep app | status=\"\"",
                "{} | unpack |= \"web\"",
                "{} | decolorize |= \"GET\"",
                "{} |> \"<_>GET<_>\""
            })
    void atLeastThoseThatAreKept(String text) {
        LogQuery query = LogQl.parseLogQuery(text);
        Pushdown pushdown = Pushdown.of(query, LABELS);
        assertThat(pushdown.isExact()).isFalse();
        BitSet lost = kept(query);
        lost.andNot(pushed(pushdown));
        assertThat(lost.isEmpty()).as("rows that are lost: %s", lost).isTrue();
    }

    @Test
    void conditionsOnColumnsNarrowAlsoWhatCannotBeExact() {
        Pushdown pushdown = Pushdown.of(LogQl.parseLogQuery("{app=\"web\"} |= \"GET\" | json | a=\"b\""), LABELS);
        assertThat(pushed(pushdown)).isEqualTo(BitSet.valueOf(new long[] {1}));
    }
}
