package io.cordwood.search.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** How answers become text that is no larger than a model wants. */
class ToolTextTest {
    private static Rows rows(int maxTokens, int maxValueChars) {
        return new Rows(RequestFields.of(Map.of("max_tokens", maxTokens, "max_value_chars", maxValueChars)));
    }

    @Property(tries = 200)
    void aResultHasNoMoreThanItsTokens(
            @ForAll List<String> messages, @ForAll @IntRange(min = 500, max = 1_000) int maxTokens) {
        Rows rows = rows(maxTokens, 150_000);
        int taken = 0;
        for (String message : messages) {
            if (rows.take(line(message))) {
                taken++;
            }
        }
        assertThat(rows.closedBy("rows").getBytes(UTF_8).length).isLessThanOrEqualTo(3 * maxTokens);
        assertThat(rows.count()).isEqualTo(taken);
    }

    /** A row as the API writes it. */
    private static String line(String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("message", message)
                .put("_cursor", "c")
                .toString();
    }

    @Test
    void whatIsLeftOutFollowsTheLastRowThatIsShown() {
        Rows rows = rows(500, 1_000);
        int shown = 0;
        while (rows.take("{\"message\":\"%s\",\"_cursor\":\"%d\"}".formatted("x".repeat(80), shown))) {
            shown++;
        }
        assertThat(rows.next()).contains(Integer.toString(shown - 1));
        assertThat(rows.isCut()).isTrue();
        assertThat(rows.closedBy("rows."))
                .endsWith(
                        "-- rows. The result was cut at about 500 tokens: ask for less, or raise max_tokens (up to 50,000).");
    }

    @Test
    void allRowsAreFollowedByThePageAfter() {
        Rows rows = rows(500, 100);
        rows.take("{\"stats\":\"a\",\"_cursor\":\"1\"}");
        rows.take("{\"stats\":{},\"after\":\"2\"}");
        assertThat(rows.next()).contains("2");
        assertThat(rows.closedBy("1 row.")).isEqualTo("{\"stats\":\"a\",\"_cursor\":\"1\"}\n-- 1 row.");
    }

    @Test
    void longValuesAreCutBetweenCharacters() {
        Rows rows = rows(10_000, 100);
        rows.take("{\"message\":\"%s\",\"attributes\":{\"a\":\"%s\"},\"_cursor\":\"1\"}"
                .formatted("x".repeat(99) + "😀y", "z".repeat(101)));
        assertThat(rows.closedBy("1 row."))
                .contains("x".repeat(99) + "…[+3 characters]\"", "z".repeat(100) + "…[+1 characters]\"")
                .contains("Values longer than 100 characters were cut: raise max_value_chars");
    }

    @Test
    void anAnswerIsReadInLinesUntilThereIsEnough() throws IOException {
        List<String> lines = new ArrayList<>();
        AnswerLines answer = new AnswerLines(line -> {
            lines.add(line);
            return lines.size() < 3;
        });
        answer.write("one\ntw".getBytes(UTF_8));
        answer.write("o\n".getBytes(UTF_8));
        assertThatThrownBy(() -> answer.write("three\nfour\n".getBytes(UTF_8)))
                .isInstanceOf(AnswerLines.EnoughException.class);
        assertThatThrownBy(() -> answer.write("five".getBytes(UTF_8))).isInstanceOf(AnswerLines.EnoughException.class);
        assertThat(lines).containsExactly("one", "two", "three");
    }

    @Test
    void aLineMustFitIntoMemory() {
        AnswerLines answer = new AnswerLines(line -> true);
        assertThatThrownBy(() -> answer.write(new byte[AnswerLines.MAX_LINE_BYTES + 1]))
                .isInstanceOf(AnswerLines.LineTooLongException.class);
    }

    @Test
    void boundsAreBounded() {
        assertThatThrownBy(() -> rows(499, 1_000))
                .isInstanceOf(ApiException.class)
                .hasMessage("'max_tokens' must be a whole number from 500 to 50000");
    }
}
