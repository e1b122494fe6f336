package io.cordwood.search;

import static io.cordwood.search.SearchPage.RESULTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.Browser;
import io.cordwood.services.BrowserWindow;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.interactions.Actions;

/** The page in a real browser, on a real service: as a user sees it. */
@Timeout(180)
class PageIT {
    private static final int ROWS = 60;
    /** Characters of a line that Kafka still takes. */
    private static final int LONG = 1_000_000;
    /** Lines that try to become markup, to hide their end, or to reorder it. */
    private static final List<String> HOSTILE = List.of(
            "<script>window.ran = true</script> hostile",
            "hostile \"'><img src=x onerror='window.ran = true'>",
            "hostile user\u202Enimda\u0000\u001b[2K\u200bend");

    @TempDir
    private static Path home;

    private static SearchFixture fixture;
    private static Browser browser;

    private SearchPage page;
    private BrowserWindow window;

    @BeforeAll
    static void start() throws Exception {
        browser = TestServices.browserOrSkip();
        fixture = SearchFixture.start(home);
        for (String tenant : List.of("acme", "globex")) {
            fixture.createTable(
                    tenant,
                    ColumnDefinition.keyword("level"),
                    ColumnDefinition.keyword("service"),
                    ColumnDefinition.text("message"));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        Instant newest = Instant.now().minusSeconds(60);
        for (int i = 0; i < ROWS; i++) {
            rows.add(Map.of(
                    "ts",
                    newest.minusSeconds(i).toString(),
                    "level",
                    i % 10 == 0 ? "ERROR" : "INFO",
                    "service",
                    i % 2 == 0 ? "shop" : "mail",
                    "message",
                    "request " + i + (i % 10 == 0 ? " failed" : " done"),
                    "trace",
                    "t" + i));
        }
        for (String message : HOSTILE) {
            rows.add(Map.of("ts", newest.minusSeconds(ROWS).toString(), "level", "WARN", "message", message));
        }
        rows.add(Map.of(
                "ts", newest.minusSeconds(ROWS).toString(), "level", "DEBUG", "message", "large " + "x".repeat(LONG)));
        fixture.ship("acme", rows);
        fixture.ship("globex", List.of(Map.of("message", "of another tenant")));
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    @BeforeEach
    void openWindow() throws Exception {
        page = SearchPage.in(browser, fixture);
        window = page.window();
    }

    @AfterEach
    void closeWindow() throws Exception {
        if (page != null) {
            page.close();
        }
        fixture.startService();
    }

    @Test
    void patternsAreListedAndOneOfThemFiltersTheRows() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        window.click(By.id("tab-patterns"));
        page.awaitCount("64 rows, 6 patterns");
        assertThat(window.texts(".patterns .pattern"))
                .startsWith("request <num> done", "request <num> failed")
                .anyMatch(text -> text.startsWith("<script>window.ran"));
        assertThat(window.texts(".patterns .row:nth-child(2) .number")).containsExactly("54", "new");
        window.click(By.xpath("//button[.='request <num> failed']"));
        page.awaitCount("6 rows");
        assertThat(page.address()).contains("query=message").doesNotContain("tab=");
    }

    @Test
    void aSearchFindsRowsNewestFirstAndFacetsFilterThem() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        assertThat(window.texts(RESULTS + " .cell.text")).startsWith("request 0 failed", "request 1 done");
        page.search("failed");
        page.awaitCount("6 rows");
        assertThat(window.texts(".histogram .legend")).containsExactly("ERROR 6");
        assertThat(window.attributes(".bucket", "aria-label"))
                .anyMatch(text -> text.matches(".*: [1-9] rows?, [1-9] ERROR"));

        page.search("");
        page.awaitCount("64 rows");
        window.click(By.xpath("//button[@class='value'][.//span='shop']"));
        page.awaitCount("30 rows");
        assertThat(page.query()).isEqualTo("service:\"shop\"");
        page.click(".facets button[aria-label='Exclude ERROR']");
        page.awaitCount("24 rows");
        assertThat(page.query()).isEqualTo("service:\"shop\" -level:\"ERROR\"");

        page.driver().navigate().back();
        page.awaitCount("30 rows");
        page.driver().navigate().back();
        page.awaitCount("64 rows");
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void aRowExpandsFiltersAndHasAContext() throws Exception {
        page.open("tenant=acme&query=%22request+30%22");
        page.awaitCount("1 row");
        page.click(RESULTS);
        page.awaitTexts(".details dt", List.of("ts", "level", "service", "message", "attributes.trace"));
        page.click(".details .line button:nth-child(2)");
        Waiting.until(
                "the raw JSON is there",
                () -> !window.texts(".details .raw pre").isEmpty());
        assertThat(SearchFixture.parse(window.texts(".details .raw pre").getFirst())
                        .path("attributes")
                        .path("trace")
                        .asText())
                .isEqualTo("t30");

        page.click(".details .line button:nth-child(1)");
        Waiting.until(
                "the context is there",
                () -> window.texts("#context .cell.text").size() == 51);
        assertThat(window.texts("#context .marked .cell.text")).containsExactly("request 30 failed");
        assertThat(window.texts("#context .cell.text")).startsWith("request 55 done", "request 54 done");
        page.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        Waiting.until("the context is closed", () -> window.count("#context") == 0);

        page.click(".details .line button:nth-child(2)");
        page.click(".details button[aria-label='Only rows with this attributes.trace']");
        Waiting.until("the query has the value", () -> page.query().equals("\"request 30\" attributes.trace:\"t30\""));
        page.awaitCount("1 row");
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void logTextIsOnlyText() throws Exception {
        page.open("tenant=acme&query=hostile&wrap=true");
        page.awaitCount("3 rows");
        assertThat(window.texts(RESULTS + " .cell.text"))
                .containsExactlyInAnyOrder(
                        HOSTILE.get(0), HOSTILE.get(1), "hostile userU+202Enimda\u2400\u241b[2KU+200Bend");
        page.driver().executeScript("document.querySelectorAll(arguments[0]).forEach(row => row.click())", RESULTS);
        Waiting.until("all are open", () -> window.count(".details") == 3);
        assertThat(window.texts(".details pre")).contains(HOSTILE.get(0), HOSTILE.get(1));
        assertThat(String.join("", window.texts(".page"))).doesNotContain("\u202E", "\u0000", "\u001b", "\u200b");
        assertThat(window.count("#app script, #app img")).isZero();
        assertThat(page.driver().executeScript("return window.ran")).isNull();
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void aLongLineIsCutUntilAllIsAskedFor() throws Exception {
        page.open("tenant=acme&query=large");
        page.awaitCount("1 row");
        assertThat(window.texts(RESULTS + " .cell.text").getFirst().length()).isLessThan(3_000);
        page.click(RESULTS);
        Waiting.until("it is open", () -> window.count(".details") == 1);
        WebElement all = page.driver().findElement(By.cssSelector(".details .long > button"));
        assertThat(all.getText()).isEqualTo("Show all 1,000,006 characters");
        all.click();
        Waiting.until("all is shown", () -> window.texts(".details pre").contains("large " + "x".repeat(LONG)));
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void theLiveTailShowsWhatArrives() throws Exception {
        page.open("tenant=globex&tab=live&query=printer");
        Waiting.until("it follows", () -> window.texts("#tail-state").equals(List.of("Following")));
        // The row is seen only if the tail had begun, so it is shipped until it is
        Waiting.until("the row is there", () -> {
            fixture.ship("globex", List.of(Map.of("message", "printer on fire"), Map.of("message", "a fax")));
            return window.count(RESULTS) > 0;
        });
        assertThat(window.texts(RESULTS + " .cell.text")).containsOnly("printer on fire");
        page.click(".tail button");
        Waiting.until("it pauses", () -> window.texts("#tail-state").getFirst().startsWith("Paused"));
        int shown = window.count(RESULTS);
        Waiting.until("a row waits", () -> {
            fixture.ship("globex", List.of(Map.of("message", "printer is out")));
            return window.texts("#tail-state").getFirst().contains(" wait");
        });
        assertThat(window.count(RESULTS)).isEqualTo(shown);
        page.click(".tail button");
        Waiting.until(
                "it shows them", () -> window.texts(RESULTS + " .cell.text").contains("printer is out"));
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void aLinkRestoresWhatIsShown() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        page.search("level:error -service:mail");
        page.awaitCount("6 rows");
        window.click(By.xpath("//button[text()='Wrap']"));
        page.click(".menu summary");
        window.click(By.xpath("//div[@class='choices']/label[contains(., 'service')]"));
        Waiting.until(
                "the column is gone",
                () -> window.texts(".row.head span").equals(List.of("time (UTC)", "level", "message")));
        String link = page.address();
        page.driver().switchTo().newWindow(WindowType.WINDOW);
        page.driver().get(link);
        page.awaitCount("6 rows");
        assertThat(page.query()).isEqualTo("level:error -service:mail");
        assertThat(window.texts(".row.head span")).containsExactly("time (UTC)", "level", "message");
        assertThat(window.count(".rows.wrap")).isEqualTo(1);
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void anErrorShowsItsPlaceAndSqlIsThere() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        page.search("done (a OR");
        Waiting.until("the error is there", () -> window.count("#problem mark") == 1);
        assertThat(window.texts("#problem .place").getFirst().strip()).isEqualTo("done (a OR");
        page.search("failed");
        page.awaitCount("6 rows");
        window.click(By.xpath("//button[text()='SQL']"));
        Waiting.until("the SQL is there", () -> window.count("#sql pre") == 1);
        assertThat(window.texts("#sql pre").getFirst()).startsWith("SELECT ").contains("cordwood.acme.logs");
        // That the request was refused is all that the browser complains of
        assertThat(window.complaints()).allMatch(complaint -> complaint.contains("Failed to load resource"));
    }

    @Test
    void columnsAndValuesAreCompletedAndKeysMoveThroughRows() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        page.driver().findElement(By.tagName("body")).sendKeys("/");
        WebElement input = page.driver().switchTo().activeElement();
        assertThat(input.getAttribute("id")).isEqualTo("query");
        input.sendKeys("ser");
        page.awaitTexts("#completions span", List.of("service"));
        input.sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
        Waiting.until(
                "values are there", () -> window.texts("#completions span").contains("mail"));
        input.sendKeys("ma");
        page.awaitTexts("#completions span", List.of("mail"));
        input.sendKeys(Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER);
        page.awaitCount("30 rows");
        assertThat(page.query()).isEqualTo("service:mail");

        input.sendKeys(Keys.ESCAPE);
        page.driver().findElement(By.tagName("body")).sendKeys("jj");
        Waiting.until(
                "the second row is chosen",
                () -> window.texts(".row.selected .cell.text").equals(List.of("request 3 done")));
        page.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        Waiting.until("it is open", () -> window.count(".details") == 1);
        page.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        Waiting.until("it is closed", () -> window.count(".details") == 0);
        assertThat(window.complaints()).isEmpty();
    }

    @Test
    void itBreaksNoRuleOfAccessibility() throws Exception {
        window.reduceMotion();
        // Both widths, and the colours of both themes
        Map<Integer, String> themes = Map.of(1400, "light", 360, "dark");
        for (int width : themes.keySet()) {
            String theme = themes.get(width);
            window.showAt(width, 800);
            page.open("tenant=acme&query=done");
            page.awaitCount("54 rows");
            page.driver().executeScript("document.documentElement.dataset.theme = arguments[0]", theme);
            String mode = "%s, %d px: ".formatted(theme, width);
            assertAccessible(mode + "rows");
            page.click(".facets button[aria-label='Exclude mail']");
            page.awaitCount("24 rows");
            page.click(RESULTS);
            page.awaitShown(".details");
            assertAccessible(mode + "a row");
            page.clickButton("Raw JSON");
            page.clickButton("Context");
            page.awaitShown("#context .marked");
            assertAccessible(mode + "context");
            page.press(Keys.ESCAPE);
            page.clickButton("SQL");
            page.awaitShown("#sql pre");
            assertAccessible(mode + "SQL");
            page.press(Keys.ESCAPE);
            page.click("#tab-patterns");
            page.awaitCount("24 rows, 1 pattern");
            assertAccessible(mode + "patterns");
            page.click("#tab-live");
            page.awaitTexts("#tail-state", List.of("Following"));
            assertAccessible(mode + "live tail");
            page.click("#tab-search");
            page.search("done (a OR");
            page.awaitShown("#problem mark");
            page.click(".menu summary");
            assertAccessible(mode + "an error");
            page.search("");
            page.awaitCount("64 rows");
            page.driver().findElement(By.id("query")).sendKeys("level:");
            page.awaitShown("#completions li");
            assertAccessible(mode + "completions");
        }
    }

    private void assertAccessible(String state) throws Exception {
        assertThat(AccessibilityRules.violations(window)).as(state).isEmpty();
        assertThat(window.overflow()).as("%s: too wide for the window", state).isNotPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {360, 1400})
    void allIsReachedByTheKeyboard(int width) throws Exception {
        window.showAt(width, 800);
        window.devTools(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        page.driver().executeScript("""
                window.saved = [];
                URL.createObjectURL = blob => { blob.text().then(text => saved.push(text)); return '#'; };
                """);
        page.tabTo("Tenant");
        page.press(Keys.END);
        page.awaitCount("[0-9]+ rows?");
        assertThat(page.address()).contains("tenant=globex");
        page.press(Keys.HOME);
        page.awaitCount("64 rows");
        page.tabTo("Stream");
        page.enter("Dark or light");
        assertThat(page.driver().executeScript("return document.documentElement.dataset.theme"))
                .isEqualTo("dark");
        page.press(Keys.ENTER);

        page.tabTo("#query");
        page.press("lev");
        page.awaitTexts("#completions span", List.of("level"));
        page.press(Keys.ARROW_DOWN, Keys.ENTER);
        Waiting.until(
                "values are there", () -> window.texts("#completions span").contains("ERROR"));
        page.press("ERR");
        page.awaitTexts("#completions span", List.of("ERROR"));
        page.press(Keys.ARROW_DOWN, Keys.ENTER, Keys.ENTER);
        page.awaitCount("6 rows");
        page.search("");
        page.awaitCount("64 rows");

        page.tabTo("#range");
        page.press(Keys.HOME);
        Waiting.until("the link has it", () -> page.address().contains("from=now-15m"));
        page.press(Keys.END);
        page.awaitShown(".range input");
        page.tabTo("From, in UTC");
        String from = page.address();
        page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN);
        Waiting.until("it is a year earlier", () -> !page.address().equals(from));
        page.awaitCount("64 rows");
        page.tabTo("#range");
        page.press(Keys.HOME, Keys.ARROW_DOWN);
        page.awaitCount("64 rows");

        page.tabTo("Bars: arrows choose, Enter narrows the time range");
        page.press(
                Keys.ARROW_LEFT,
                Keys.chord(Keys.SHIFT, Keys.ARROW_LEFT.toString().repeat(20)),
                Keys.ENTER);
        Waiting.until("the range is absolute", () -> page.address().matches(".*from=2.*to=2.*"));
        page.awaitCount("[1-9][0-9]? rows");
        page.driver().navigate().back();
        page.awaitCount("64 rows");

        page.enter("Exclude INFO");
        page.awaitCount("10 rows");
        page.driver().navigate().back();
        page.awaitCount("64 rows");
        page.enter("Hide service");
        page.awaitGone("[aria-label='Hide service']");
        page.tabTo("Add a column");
        page.press("service");
        page.awaitShown("[aria-label='Hide service']");

        page.enter("Patterns");
        page.awaitCount("64 rows, [0-9]+ patterns");
        page.enter("request <num> failed");
        page.awaitCount("6 rows");
        page.enter("Live tail");
        page.awaitTexts("#tail-state", List.of("Following"));
        page.enter("Pause");
        page.awaitTexts("#tail-state", List.of("Paused"));
        page.press(Keys.ENTER);
        page.awaitTexts("#tail-state", List.of("Following"));
        page.enter("#tab-search");
        page.awaitCount("6 rows");

        page.enter("Wrap");
        page.awaitShown(".rows.wrap");
        page.enter("Columns");
        page.tabTo("service");
        page.press(Keys.SPACE);
        Waiting.until(
                "the column is gone", () -> !window.texts(".row.head span").contains("service"));
        page.press(Keys.ESCAPE);
        page.awaitGone(".menu[open]");
        page.enter("SQL");
        page.awaitShown("#sql pre");
        page.press(Keys.ESCAPE);
        page.enter("ndjson");
        page.enter("CSV");
        Waiting.until("both are saved", () -> (Long) page.driver().executeScript("return saved.length") == 2);
        List<String> saved = window.ask("return saved");
        assertThat(saved.getFirst()
                        .lines()
                        .map(line -> SearchFixture.parse(line)
                                .path("attributes")
                                .path("trace")
                                .asText()))
                .containsExactly("t0", "t10", "t20", "t30", "t40", "t50");
        assertThat(saved.getLast().lines()).hasSize(7).startsWith("ts,level,message");
        page.enter("Link");
        Waiting.until("it is copied", () -> window.texts("#count").getFirst().endsWith("Copied"));
        assertThat(page.driver()
                        .executeAsyncScript("navigator.clipboard.readText().then(arguments[arguments.length - 1])"))
                .isEqualTo(page.address());

        page.press("j", "j");
        page.press(Keys.ENTER);
        page.awaitShown(".details");
        page.enter("Raw JSON");
        page.awaitShown(".details .raw pre");
        page.press(Keys.ENTER);
        page.press(Keys.chord(Keys.SHIFT, Keys.TAB), Keys.ENTER);
        page.awaitShown("#context .marked");
        page.press(Keys.ESCAPE);
        page.awaitGone("#context");
        page.enter("Exclude this attributes.trace");
        page.awaitCount("5 rows");
        page.press(Keys.chord(Keys.SHIFT, "?"));
        page.awaitShown("#keys");
        page.press(Keys.ESCAPE);
        page.awaitGone("#keys");

        dragOverTheBars();
        Waiting.until("the range is absolute", () -> page.address().matches(".*from=2.*to=2.*"));
        assertThat(window.overflow()).as("too wide for the window").isNotPositive();
        assertThat(window.complaints()).isEmpty();
    }

    /** The one thing that needs a mouse or a finger; the arrow keys do the same. */
    private void dragOverTheBars() {
        WebElement chart = page.driver().findElement(By.cssSelector(".chart svg"));
        new Actions(page.driver())
                .moveToElement(chart, -20, 0)
                .clickAndHold()
                .moveByOffset(40, 0)
                .release()
                .perform();
    }

    @Test
    void itGoesOnWhenTheServiceIsBack() throws Exception {
        page.open("tenant=acme");
        page.awaitCount("64 rows");
        fixture.stopService();
        page.search("failed");
        page.awaitShown("#away .problem");
        assertAccessible("away");
        assertThat(window.count(RESULTS)).isEqualTo(64);
        assertThat(window.count(".bucket")).isPositive();
        fixture.startService();
        page.awaitCount("6 rows");
        page.awaitGone("#away .problem");
        assertThat(window.complaints()).isNotEmpty().allMatch(complaint -> complaint.contains("net::ERR_"));
    }

    @Test
    void theTailFollowsOnAndAddsWhatItMissed() throws Exception {
        page.open("tenant=globex&tab=live&query=restarted");
        page.awaitTexts("#tail-state", List.of("Following"));
        fixture.ship("globex", List.of(Map.of("message", "restarted before")));
        page.awaitTexts(RESULTS + " .cell.text", List.of("restarted before"));
        fixture.stopService();
        page.awaitTexts("#tail-state", List.of("The service does not answer: trying again"));
        assertThat(window.texts(RESULTS + " .cell.text")).containsExactly("restarted before");
        fixture.ship("globex", List.of(Map.of("message", "restarted within"), Map.of("message", "a fax")));
        fixture.startService();
        page.awaitTexts(RESULTS + " .cell.text", List.of("restarted within", "restarted before"));
        Waiting.until(
                "it says so",
                () -> window.texts("#tail-state")
                        .getFirst()
                        .matches("Following, No connection from [0-9:]+ to [0-9:]+: 1 row of it added"));
        fixture.ship("globex", List.of(Map.of("message", "restarted after")));
        page.awaitTexts(RESULTS + " .cell.text", List.of("restarted after", "restarted within", "restarted before"));
        assertThat(window.complaints()).isNotEmpty().allMatch(complaint -> complaint.contains("net::ERR_"));
    }

    @Test
    void theServiceServesNoOtherFiles() throws Exception {
        assertThat(fixture.get("/").headers().firstValue("content-security-policy"))
                .isPresent();
        assertThat(fixture.get("/page/nosuch.js").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/page/..%2f..%2fMETA-INF/MANIFEST.MF").statusCode())
                .isEqualTo(404);
    }
}
