package io.cordwood.query.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/use/search.md} are searches. */
class SearchDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "use", "search.md");
    /** A row of a table with one search in its first cell. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    @Test
    void examplesAreSearches() throws IOException {
        String text = Files.readString(DOCUMENT);
        String examples = text.substring(text.indexOf("## Examples"), text.indexOf("## Reference"));
        List<String> searches =
                ROW.matcher(examples).results().map(row -> row.group(1)).toList();
        assertThat(searches).hasSizeGreaterThan(10);
        for (String search : searches) {
            assertThatCode(() -> SampleColumns.bind(search)).as(search).doesNotThrowAnyException();
        }
    }
}
