package io.cordwood.query.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchBinderTest {
    /** Of one text column. */
    private static final SearchBinder ONE_TEXT = new SearchBinder(
            Map.of(
                    "message",
                    QueryColumn.stored("message", ColumnType.VARCHAR, IndexKind.TEXT),
                    "$text",
                    QueryColumn.stored("$text", ColumnType.VARCHAR, IndexKind.TEXT)),
            SampleColumns.NOW);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `` | TRUE
            * | TRUE
            -* | FALSE
            timeout | match(message, '"timeout"')
            -timeout | message IS NULL OR NOT match(message, '"timeout"')
            it's "connection reset" | match(message, '"it''s"') AND match(message, '"connection reset"')
            \\OR | match(message, '"OR"')
            "say \\"NOT (x" | match(message, '"say  NOT (x"')
            "time*" | match(message, '"time* "')
            time* | match(message, '"time*"')
            a (b OR -c) | match(message, '"a"') AND (match(message, '"b"') OR (message IS NULL OR NOT match(message, '"c"')))
            """)
    void termsWithoutAColumnSearchTheTextColumns(String search, String sql) {
        assertThat(SqlConditions.of(ONE_TEXT.bind(SearchParser.parse(search)))).isEqualTo(sql);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            x | match(message, '"x"') OR match("error.stack", '"x"')
            -x | (message IS NULL OR NOT match(message, '"x"')) AND ("error.stack" IS NULL OR NOT match("error.stack", '"x"'))
            Error.Stack:NullPointer* | match("error.stack", '"NullPointer*"')
            message:[a TO b] | message BETWEEN 'a' AND 'b'
            level:error | match(level, '"error"')
            LEVEL:(error OR warn) | match(level, '"error"') OR match(level, '"warn"')
            -level:info | level IS NULL OR NOT match(level, '"info"')
            level:(-info -debug) | (level IS NULL OR NOT match(level, '"info"')) AND (level IS NULL OR NOT match(level, '"debug"'))
            NOT (level:a OR -level:b) | (level IS NULL OR NOT match(level, '"a"')) AND match(level, '"b"')
            level:* | level IS NOT NULL
            -level:* | level IS NULL
            level:[* TO *] | level IS NOT NULL
            level:"" | level = ''
            level:-- | level = '--'
            level:a\\"b | level = 'a"b'
            level:a\\"b* | level LIKE 'a"b%' ESCAPE '\\'
            host:web* | match(host, '"web*"')
            host:web-* | match(host, '"web*"') AND host LIKE '___-%' ESCAPE '\\'
            -host:web-* | host IS NULL OR NOT (match(host, '"web*"') AND host LIKE '___-%' ESCAPE '\\')
            host:web_% | match(host, '"web_%"')
            host:web\\* | match(host, '"web*"') AND host LIKE '___*' ESCAPE '\\'
            host:a*_?b\\\\ | host LIKE 'a%\\__b\\\\' ESCAPE '\\'
            http.path:/api/* | match("http.path", '"/api*"') AND "http.path" LIKE '____/%' ESCAPE '\\'
            http.path:/* | "http.path" LIKE '/%' ESCAPE '\\'
            "odd \\"name":x | match("odd ""name", '"x"')
            order:x | match("order", '"x"')
            host:>=b | host >= 'b'
            host:[a TO c} | host >= 'a' AND host < 'c'
            host:[c TO a] | FALSE
            -host:[c TO a] | TRUE
            host:{a TO a] | FALSE
            status:500 | status = 500
            status:"500" | status = 500
            status:500.0 | status = 500
            status:5e2 | status = 500
            status:500.5 | FALSE
            -status:500.5 | TRUE
            -status:500 | status IS NULL OR NOT (status = 500)
            status:>500.5 | status > 500
            status:>=500.5 | status > 500
            status:<500.5 | status <= 500
            status:<=500.5 | status <= 500
            status:>-0.5 | status > -1
            status:<=1e-999999999 | status <= 0
            status:>=500 | status >= 500
            status:<500 | status < 500
            status:[200 TO 299] | status BETWEEN 200 AND 299
            status:(<200 OR >=300) | status < 200 OR status >= 300
            status:>1e30 | FALSE
            status:<1e999999999 | status IS NOT NULL
            status:[-1e30 TO 5} | status < 5
            status:9223372036854775807 | status = 9223372036854775807
            status:9223372036854775808 | FALSE
            took:1.5 | took = DOUBLE '1.5'
            took:-0 | took = DOUBLE '0.0'
            took:>1e400 | took > infinity()
            took:{1 TO 2.5] | took > DOUBLE '1.0' AND took <= DOUBLE '2.5'
            fail:true | fail = true
            -fail:FALSE | fail IS NULL OR NOT (fail = false)
            tenant_id:acme | match(tenant_id, '"acme"')
            attributes.User.Id:u* | match_keyword(element_at(attributes, 'User.Id'), '"u*"')
            Attributes.X:>b | element_at(attributes, 'X') > 'b'
            "attributes.it's":x | match_keyword(element_at(attributes, 'it''s'), '"x"')
            -attributes.x:* | element_at(attributes, 'x') IS NULL
            attributes.x:a?c | element_at(attributes, 'x') LIKE 'a_c' ESCAPE '\\'
            attributes:* | attributes IS NOT NULL
            ts:>now-5m | ts >= TIMESTAMP '2026-01-02 02:59:05.000007 UTC'
            ts:>=now-5m ts:<now | ts BETWEEN TIMESTAMP '2026-01-02 02:59:05.000006 UTC' AND TIMESTAMP '2026-01-02 03:04:05.000005 UTC'
            ts:2026-01-01 | ts BETWEEN TIMESTAMP '2026-01-01 00:00:00.000000 UTC' AND TIMESTAMP '2026-01-01 23:59:59.999999 UTC'
            ts:[2026-01-01 TO 2026-01-02T01:00:00+01:00} | ts BETWEEN TIMESTAMP '2026-01-01 00:00:00.000000 UTC' AND TIMESTAMP '2026-01-01 23:59:59.999999 UTC'
            ts:"2026-01-01 00:00:00z" | ts = TIMESTAMP '2026-01-01 00:00:00.000000 UTC'
            ts:1 level:* | ts = TIMESTAMP '1970-01-01 00:00:00.000001 UTC' AND level IS NOT NULL
            ts:<now ts:>now | FALSE
            -ts:>now | ts IS NULL OR NOT (ts > TIMESTAMP '2026-01-02 03:04:05.000006 UTC')
            seen:>now-1w | seen > TIMESTAMP '2025-12-26 03:04:05.000006 UTC'
            """)
    void aColumnReadsTheValueByItsType(String search, String sql) {
        assertThat(SqlConditions.of(SampleColumns.bind(search))).isEqualTo(sql);
    }

    @Test
    void withoutTextColumnsAWordSelectsNothing() {
        SearchBinder binder = new SearchBinder(Map.of("ts", QueryColumn.TS), SampleColumns.NOW);
        assertThat(binder.bind(SearchParser.parse("timeout")).conjuncts()).containsExactly(Predicate.FALSE);
        assertThat(binder.bind(SearchParser.parse("-timeout")).conjuncts()).isEmpty();
        assertThatThrownBy(() -> binder.bind(SearchParser.parse("!!!")))
                .hasMessageStartingWith("'!!!' has no letter or digit");
    }

    @Test
    void conditionsOnTheTimeAloneBecomeATimeRange() {
        BoundSearch search = SampleColumns.bind("(ts:>=10 level:* (ts:<=30 ts:<20))");
        assertThat(search.time()).isEqualTo(new TimeRange(10, 19));
        assertThat(search.conjuncts()).hasSize(1);
    }

    @Test
    void alternativesOfTimesBoundTheRangeAndStayConditions() {
        BoundSearch search = SampleColumns.bind("ts:(5 OR [10 TO 20] OR {30 TO 31})");
        assertThat(search.time()).isEqualTo(new TimeRange(5, 20));
        assertThat(search.conjuncts()).hasSize(1);
        assertThat(SampleColumns.bind("ts:5 OR (ts:9 level:*)").time()).isEqualTo(new TimeRange(5, 9));
        assertThat(SampleColumns.bind("ts:5 OR level:*").time()).isEqualTo(TimeRange.ALL);
        assertThat(SampleColumns.bind("-ts:5").time()).isEqualTo(TimeRange.ALL);
    }

    @Test
    void contradictingTimesLeaveNoTime() {
        assertThat(SampleColumns.bind("ts:5 ts:6").time().isEmpty()).isTrue();
        assertThat(SampleColumns.bind("ts:>9223372036854775807").time().isEmpty())
                .isTrue();
        assertThat(SampleColumns.bind("ts:<-9223372036854775808").time().isEmpty())
                .isTrue();
        assertThat(SampleColumns.bind("ts:[6 TO 5]").conjuncts()).isEqualTo(List.of(Predicate.FALSE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a http://x | 2 | There is no column 'http' at position 3: put text in double quotes, as in "http://x"
            statu:>5 | 0 | There is no column 'statu' at position 1: the closest name is 'status'; put text in double quotes, as in "statu:>5"
            "Lev\\"l":a\\"* | 0 | There is no column 'lev"l' at position 1: the closest name is 'level'; put text in double quotes, as in "Lev\\"l:a\\"*"
            $tier:hot | 0 | There is no column '$tier' at position 1
            !!! | 0 | '!!!' has no letter or digit to search for at position 1: add a word, or remove it
            a ++ | 2 | '++' has no letter or digit to search for at position 3
            message:"" | 8 | '' has no letter or digit to search for at position 9
            message:(a -) | 11 | '-' has no letter or digit to search for at position 12
            !* | 0 | '!*' has no letter or digit to search for at position 1
            web-* | 0 | '*' in 'web-*' stands behind neither a letter nor a digit at position 1: remove it
            a*b | 0 | 'a*b' has a wildcard that a text column does not take at position 1: put one '*' at the end of a word, or the text in double quotes
            why? | 0 | 'why?' has a wildcard that a text column does not take at position 1
            message:*ed | 8 | '*ed' has a wildcard that a text column does not take at position 9
            status:abc | 7 | The bigint column 'status' has no value 'abc' at position 8: write a number, as in status:500, status:>=500 or status:[500 TO 599]
            status:[1 TO x] | 7 | The bigint column 'status' has no value 'x' at position 8
            status:5* | 7 | The bigint column 'status' has no value '5*' at position 8
            status:1e9999999999 | 7 | The bigint column 'status' has no value '1e9999999999' at position 8
            status:0x10 | 7 | The bigint column 'status' has no value '0x10' at position 8
            took:NaN | 5 | The double column 'took' has no value 'NaN' at position 6: write a number, as in took:500
            took:?5 | 5 | The double column 'took' has no value '?5' at position 6
            fail:yes | 5 | The boolean column 'fail' has no value 'yes' at position 6: write fail:true or fail:false
            fail:>=true | 5 | The boolean column 'fail' has no value '>=true' at position 6
            fail:[* TO true} | 5 | The boolean column 'fail' has no value '<true' at position 6
            ts:yesterday | 3 | The timestamp column 'ts' has no value 'yesterday' at position 4: write 2026-01-02T03:04:05Z, 2026-01-02, now-15m (units s, m, h, d, w) or microseconds since 1970
            ts:2026-* | 3 | The timestamp column 'ts' has no value '2026-*' at position 4
            ts:[2026-02-30 TO *] | 3 | The timestamp column 'ts' has no value '2026-02-30' at position 4
            attributes:x | 11 | 'attributes' is a map at position 12: name an entry, as in attributes.name:value
            """)
    void anErrorSaysWhere(String search, int position, String message) {
        assertThatThrownBy(() -> SampleColumns.bind(search))
                .isInstanceOfSatisfying(
                        SearchSyntaxException.class,
                        e -> assertThat(e.position()).isEqualTo(position))
                .hasMessageStartingWith(message);
    }

    @Test
    void aLongValueIsShortenedInErrors() {
        assertThatThrownBy(() -> SampleColumns.bind("status:" + "x".repeat(9_000)))
                .hasMessageStartingWith("The bigint column 'status' has no value '" + "x".repeat(60) + "...' at");
        assertThatThrownBy(() -> SampleColumns.bind("x".repeat(9_000) + ":1"))
                .hasMessageStartingWith("There is no column '" + "x".repeat(60) + "...' at position 1");
    }

    @Test
    void overAllTenantsAttributesHaveNoConditionOfTheirOwn() {
        Map<String, QueryColumn> columns =
                AllTenants.withColumns("logs=level:varchar").columns("logs", List::of);
        SearchBinder binder = new SearchBinder(columns, SampleColumns.NOW);
        assertThat(SqlConditions.of(binder.bind(SearchParser.parse("attributes.x:* level:a tenant_id:b"))))
                .isEqualTo("element_at(attributes, 'x') IS NOT NULL AND match(level, '\"a\"')"
                        + " AND match(tenant_id, '\"b\"')");
        assertThatThrownBy(() -> binder.bind(SearchParser.parse("attributes:*")))
                .hasMessageStartingWith("'attributes' is a map at position 12");
    }

    @Test
    void withoutAttributesAnEntryIsNoColumn() {
        SearchBinder binder = new SearchBinder(Map.of("ts", QueryColumn.TS), SampleColumns.NOW);
        assertThatThrownBy(() -> binder.bind(SearchParser.parse("attributes.x:1")))
                .hasMessageStartingWith("There is no column 'attributes.x' at position 1");
    }
}
