package io.cordwood.search;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.Browser;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;

/**
 * Makes the pictures of the page in the documents, of generated rows on a real service. It is no test: only
 * {@code bin/internal/page-pictures} runs it.
 */
@Timeout(300)
class PageTour {
    private static final Path IMAGES = Path.of("../docs/images");
    private static final int ROWS = 20_000;
    private static final List<String> SERVICES =
            List.of("checkout", "checkout", "checkout", "cart", "cart", "payments", "search", "gateway", "inventory");

    @TempDir
    private Path home;

    private final Random random = new Random(7);

    @Test
    void makePictures() throws Exception {
        try (Browser browser = TestServices.browser();
                SearchFixture fixture = SearchFixture.start(home);
                SearchPage page = SearchPage.in(browser, fixture)) {
            ship(fixture);
            page.window().reduceMotion();
            page.window().showAt(1400, 900);
            page.open("tenant=acme");
            page.awaitCount("[0-9,]+ rows, the newest 500 shown");
            Waiting.until("the facets are there", () -> page.window().count(".facets .value") > 10);
            page.click(".block .item:nth-child(5) .row");
            page.awaitShown(".details");
            page.driver().executeScript("document.activeElement.blur()");
            Files.write(IMAGES.resolve("search-page.png"), screenshot(page));
            page.window().showAt(1000, 680);
            try (TourPicture tour = new TourPicture(IMAGES.resolve("search-page-tour.gif"))) {
                film(fixture, page, tour);
            }
        }
    }

    private static void film(SearchFixture fixture, SearchPage page, TourPicture tour) throws Exception {
        page.open("tenant=acme&facet=level&facet=service");
        page.awaitCount("[0-9,]+ rows, the newest 500 shown");
        Waiting.until("the facets are there", () -> page.window().count(".facets .value") > 8);
        tour.add(screenshot(page), 200);
        page.press("/");
        for (String typed : List.of("ser", "vice:", "pay")) {
            page.press(typed);
            page.awaitShown("#completions li");
            tour.add(screenshot(page), 70);
        }
        page.press(Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER);
        page.awaitCount("[0-9,]+ rows, the newest 500 shown");
        tour.add(screenshot(page), 180);
        page.clickButton(
                "ERROR" + page.window().texts(".facets .value[title] b").get(errors(page)));
        page.awaitCount("[0-9,]+ rows");
        tour.add(screenshot(page), 180);
        page.click(SearchPage.RESULTS);
        page.awaitShown(".details");
        tour.add(screenshot(page), 180);
        page.clickButton("Context");
        page.awaitShown("#context .marked");
        tour.add(screenshot(page), 220);
        page.press(Keys.ESCAPE);
        page.search("");
        page.click("#tab-patterns");
        page.awaitShown(".patterns .pattern");
        tour.add(screenshot(page), 220);
        page.click("#tab-live");
        page.awaitTexts("#tail-state", List.of("Following"));
        for (int i = 1; i <= 4; i++) {
            fixture.ship("acme", List.of(row(new Random(i), Instant.now()), row(new Random(-i), Instant.now())));
            int rows = 2 * i;
            Waiting.until("they are shown", () -> page.window().count(SearchPage.RESULTS) == rows);
            tour.add(screenshot(page), 80);
        }
        page.click("[aria-label='Dark or light']");
        tour.add(screenshot(page), 200);
        page.click("#tab-search");
        page.awaitCount("[0-9,]+ rows, the newest 500 shown");
        tour.add(screenshot(page), 200);
    }

    private static int errors(SearchPage page) {
        return page.window().texts(".facets .value .isolated").indexOf("ERROR");
    }

    private static byte[] screenshot(SearchPage page) {
        return page.driver().getScreenshotAs(OutputType.BYTES);
    }

    private void ship(SearchFixture fixture) throws Exception {
        fixture.createTable(
                "acme",
                ColumnDefinition.keyword("level"),
                ColumnDefinition.keyword("service"),
                ColumnDefinition.keyword("host"),
                ColumnDefinition.text("message"));
        List<Map<String, Object>> rows = new ArrayList<>();
        Instant now = Instant.now();
        for (int i = 0; i < ROWS; i++) {
            rows.add(row(random, now.minusMillis(random.nextInt(3_500_000))));
        }
        fixture.ship("acme", rows);
    }

    private static Map<String, Object> row(Random random, Instant time) {
        long secondOfHour = time.getEpochSecond() % 3_600;
        boolean isBad = secondOfHour > 1_500 && secondOfHour < 1_900 && random.nextInt(3) == 0;
        int kind = isBad ? 19 : random.nextInt(20);
        String level = kind < 15 ? "INFO" : kind < 18 ? "DEBUG" : kind < 19 ? "WARN" : "ERROR";
        String message = switch (level) {
            case "INFO" ->
                "GET /api/%s answered 200 in %d ms for user %d"
                        .formatted(
                                List.of("orders", "cart/items", "users/me").get(random.nextInt(3)),
                                random.nextInt(90),
                                random.nextInt(10_000));
            case "DEBUG" -> "cache hit for key session:%08x".formatted(random.nextInt());
            case "WARN" -> "pool of connections is at %d %%".formatted(80 + random.nextInt(20));
            default -> "timeout after %d ms calling payments-db".formatted(1_000 + random.nextInt(4_000));
        };
        return Map.of(
                "ts",
                time.toString(),
                "level",
                level,
                "service",
                SERVICES.get(random.nextInt(SERVICES.size())),
                "host",
                "web-" + (1 + random.nextInt(5)),
                "message",
                message,
                "trace_id",
                "%016x".formatted(random.nextLong()));
    }
}
