package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Browser;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page with ten million rows behind it: it is soon there, and what it holds does not grow with what it shows. */
@Tag("slow")
@Timeout(1200)
final class LargePageIT {
    private static final long ROWS = 10_000_000;
    private static final int PAGES = 20;
    private static final int ROWS_OF_A_PAGE = 500;
    private static final long MEGABYTE = 1 << 20;
    /** Remembers when the first rows were painted, in milliseconds since the navigation began. */
    private static final String PAINTED = """
            const watch = new MutationObserver(() => {
              if (document.querySelector('.results .block .row')) {
                watch.disconnect();
                requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
              }
            });
            watch.observe(document, {childList: true, subtree: true});
            """;
    /** Each request with its beginning and its end in milliseconds. */
    private static final String REQUESTS = """
            return performance.getEntriesByType('resource').map(({name, startTime, responseEnd}) =>
                name.replace(/.*[/]/, '') + ' ' + Math.round(startTime) + '-' + Math.round(responseEnd))
            """;

    @TempDir
    private Path home;

    @Test
    void tenMillionRowsAreSoonThereAndScrollingKeepsThePageSmall() throws Exception {
        try (Browser browser = TestServices.browserOrSkip();
                SearchFixture fixture = SearchFixture.start(home);
                SearchPage page = SearchPage.in(browser, fixture)) {
            ManyRows rows =
                    new ManyRows(fixture.catalog(), "acme", Instant.now().minus(1, ChronoUnit.DAYS));
            long begun = System.nanoTime();
            rows.add(ROWS);
            System.out.printf("page: %,d rows written in %d s%n", ROWS, (System.nanoTime() - begun) / 1_000_000_000);
            page.window().devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", PAINTED));
            String link = "tenant=acme&from=%s&to=%s".formatted(rows.time(0), rows.time(ROWS));
            for (String time : List.of("first", "second", "third", "fourth")) {
                page.driver().get("about:blank");
                page.open(link);
                page.awaitCount("10,000,000 rows, the newest 500 shown");
                System.out.printf(
                        "page: first rows painted %.0f ms after the navigation, the %s time; all done after %.0f ms%n",
                        number(page, "return window.painted"), time, number(page, "return performance.now()"));
                System.out.println(page.window().ask(REQUESTS));
            }
            Waiting.until("the facets are there", () -> page.window().count(".facets .value") == 10);
            assertThat(page.window().count(".bucket")).isGreaterThan(30);
            assertThat(page.window().texts(".histogram .legend")).contains("ERROR 100,000", "WARN 400,000");

            long elements = elements(page);
            long bytes = heap(page);
            for (int shown = 2 * ROWS_OF_A_PAGE; shown <= PAGES * ROWS_OF_A_PAGE; shown += ROWS_OF_A_PAGE) {
                page.clickButton("Load older");
                page.awaitCount("10,000,000 rows, the newest %,d shown".formatted(shown));
                page.driver().executeScript("scrollTo(0, document.documentElement.scrollHeight)");
            }
            Waiting.until(
                    "the oldest are drawn",
                    () -> page.window()
                            .texts(SearchPage.RESULTS + " .cell.text")
                            .getLast()
                            .startsWith("request %d ".formatted(ROWS - PAGES * ROWS_OF_A_PAGE)));
            System.out.printf(
                    "page: with 500 rows %,d elements and %.1f MB of heap, with %,d rows %,d and %.1f MB%n",
                    elements,
                    (double) bytes / MEGABYTE,
                    PAGES * ROWS_OF_A_PAGE,
                    elements(page),
                    (double) heap(page) / MEGABYTE);
            assertThat(elements(page)).isLessThan(6_000);
            assertThat(heap(page)).isLessThan(64 * MEGABYTE);
            page.driver().executeScript("scrollTo(0, 0)");
            Waiting.until(
                    "the newest are drawn",
                    () -> page.window()
                            .texts(SearchPage.RESULTS + " .cell.text")
                            .getFirst()
                            .startsWith("request %d ".formatted(ROWS - 1)));
            assertThat(elements(page)).isLessThan(6_000);
            assertThat(page.window().complaints()).isEmpty();
        }
    }

    private static double number(SearchPage page, String script) {
        return ((Number) page.driver().executeScript(script)).doubleValue();
    }

    private static long elements(SearchPage page) {
        return page.window().count("*");
    }

    /** Bytes of JavaScript's heap after a collection. */
    private static long heap(SearchPage page) throws Exception {
        page.window().devTools("HeapProfiler.collectGarbage", Map.of());
        Object used = page.window().devTools("Runtime.getHeapUsage", Map.of()).get("usedSize");
        return ((Number) used).longValue();
    }
}
