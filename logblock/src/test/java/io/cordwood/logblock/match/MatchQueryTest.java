package io.cordwood.logblock.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchQueryTest {
    private static final String LINE = "GET /api/v1/Users?user_id=77 from 10.0.0.1 took 12ms";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users|true",
                "USERS|true",
                "user|true",
                "userz|false",
                "get users|true",
                "get AND users|true",
                "get nothing|false",
                "nothing OR users|true",
                "get nothing OR users 77|true",
                "get (nothing OR users)|true",
                "NOT nothing|true",
                "get NOT users|false",
                "NOT (get nothing)|true",
                "NOT NOT get|true",
                "\"api v1 users\"|true",
                "\"api users\"|false",
                "\"v1 us*\"|true",
                "\"v1 77*\"|false",
                "us*|true",
                "12*|true",
                "zz*|false",
                "10.0.0.1|true",
                "10.0.1|false",
                "user_id|true",
                "id_user|false",
                "/api/v1/us*|true",
                "get - users|true",
                "or|false",
                "- AND users|true",
                "users AND -|true",
                "\"OR\" OR get|true",
                "()|error",
            })
    void meansOnText(String query, String outcome) {
        if (outcome.equals("error")) {
            assertThatThrownBy(() -> MatchQuery.parse(query)).isInstanceOf(MatchSyntaxException.class);
        } else {
            assertThat(MatchQuery.parse(query).matchesText(LINE)).isEqualTo(Boolean.parseBoolean(outcome));
        }
    }

    /** The examples of docs/use/sql.md. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Connection timeout after 3000 ms|timeout|true",
                "Connection timeout after 3000 ms|TIMEOUT 3000|true",
                "Connection timeout after 3000 ms|time*|true",
                "Connection timeout after 3000 ms|\"connection timeout\"|true",
                "Connection timeout after 3000 ms|\"connection time*\"|true",
                "Connection timeout after 3000 ms|time|false",
                "Connection timeout after 3000 ms|\"timeout connection\"|false",
                "user_id=42 from 10.0.0.1|user_id|true",
                "user_id=42 from 10.0.0.1|10.0.0.1|true",
                "user_id=42 from 10.0.0.1|\"id 42\"|true",
                "user_id=42 from 10.0.0.1|10.0*|true",
                "user_id=42 from 10.0.0.1|user_i|false",
                "user_id=42 from 10.0.0.1|10.0.1|false",
                "磁盘已满|磁盘|true",
                "磁盘已满|\"已 满\"|true",
                "磁盘已满|盘磁|false",
            })
    void meansWhatTheDocumentsSay(String text, String query, boolean found) {
        assertThat(MatchQuery.parse(query).matchesText(text)).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error|ERROR|true",
                "err|ERROR|false",
                "err*|ERROR|true",
                "10.0.0.1|10.0.0.1|true",
                "0.0.1|10.0.0.1|false",
                "\"GET /Users\"|get /users|true",
                "\"GET /Us*\"|get /users|true",
                "NOT error|warn|true",
                "error OR warn|WARN|true",
            })
    void meansOnKeyword(String query, String value, boolean outcome) {
        assertThat(MatchQuery.parse(query).matchesKeyword(value)).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|no token to search for at position 1",
                "--- |no token to search for at position 1",
                "\"open|'\"' is not closed at position 1",
                "a (b|'(' is not closed at position 3",
                "a b)|unexpected ')' at position 4",
                "a OR|OR needs a term on either side at position 5",
                "OR a|OR needs a term on either side at position 1",
                "NOT|NOT needs a term after it at position 1",
                "a NOT -|NOT needs a term after it at position 3",
                "foo-*|'*' must stand right after a token at position 5",
                "a ()|nothing between '(' and ')' at position 3",
                "a AND AND b|AND needs a term on either side at position 10",
                "a AND|AND needs a term on either side at position 6",
                "AND a|AND needs a term on either side at position 4",
            })
    void saysWhatIsWrongAndWhere(String query, String problem) {
        assertThatThrownBy(() -> MatchQuery.parse(query))
                .isInstanceOf(MatchSyntaxException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> MatchQuery.parse("(".repeat(10_000) + "a" + ")".repeat(10_000)))
                .isInstanceOf(MatchSyntaxException.class)
                .hasMessageContaining("nested deeper");
    }
}
