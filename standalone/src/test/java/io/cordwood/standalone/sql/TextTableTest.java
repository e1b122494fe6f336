package io.cordwood.standalone.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
    private final StringWriter text = new StringWriter();
    private final TextTable table = new TextTable(
            new PrintWriter(text), List.of(new TextTable.Column("service", false), new TextTable.Column("rows", true)));

    @Test
    void alignsTextLeftAndNumbersRight() {
        table.add(List.of("checkout", "7"));
        table.add(List.of("web", "12345"));
        table.finish();

        assertThat(text.toString()).isEqualToNormalizingNewlines("""
                 service  |  rows
                ----------+-------
                 checkout |     7
                 web      | 12345
                """);
    }

    @Test
    void emptyTableHasItsHead() {
        table.finish();

        assertThat(text.toString()).isEqualToNormalizingNewlines("""
                 service | rows
                ---------+------
                """);
    }

    @Test
    void escapesControlCharactersAndCountsWideOnes() {
        table.add(List.of("a\nb\t\u001b", "1"));
        table.add(List.of("漢字", "2"));
        table.finish();

        assertThat(text.toString()).isEqualToNormalizingNewlines("""
                 service      | rows
                --------------+------
                 a\\nb\\t\\u001b |    1
                 漢字         |    2
                """);
    }

    @Test
    void laterBatchesMayBeWider() {
        for (int i = 0; i < 1_000; i++) {
            table.add(List.of("x", "1"));
        }
        table.add(List.of("a longer one", "1"));
        table.finish();

        assertThat(text.toString().lines()).hasSize(1_003).last().isEqualTo(" a longer one |    1");
    }

    @Test
    void refusesRowsOfAnotherSize() {
        assertThatThrownBy(() -> table.add(List.of("x"))).isInstanceOf(IllegalArgumentException.class);
    }
}
