package io.cordwood.catalog.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.usage.UsageParser.UsagePage;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What nodes and services of before say is understood too. */
class UsageParserTest {
    private static final Scans.Total TOTAL = new Scans.Total("acme", "logs", 7, 5);

    @Test
    void aReportWithoutFirstOpenHourClosesNone() {
        assertThat(scans("{\"scans\":[{\"tenant\":\"acme\",\"stream\":\"logs\",\"hour\":7,\"bytes\":5}]}"))
                .isEqualTo(new Scans("node", Scans.NONE_CLOSED, List.of(TOTAL)));
        Scans report = new Scans("node", 7, List.of(TOTAL));
        assertThat(scans(UsageParser.toJson(report).toString())).isEqualTo(report);
    }

    private static Scans scans(String json) {
        return UsageParser.scans("node", Json.parse(json.getBytes(UTF_8)));
    }

    @Test
    void aPageThatDoesNotSayWhatIsMissingMissesNothing() {
        assertThat(page("{\"usage\":[],\"next-hour\":8}")).isEqualTo(new UsagePage(List.of(), OptionalLong.of(8), 0));
        UsagePage page = new UsagePage(
                List.of(new Usage("acme", "logs", 7, new IngestTotals(1, 2, 3), 4)), OptionalLong.empty(), 5);
        assertThat(page(UsageParser.toJson(page).toString())).isEqualTo(page);
    }

    private static UsagePage page(String json) {
        return UsageParser.page(Json.parse(json.getBytes(UTF_8)));
    }
}
