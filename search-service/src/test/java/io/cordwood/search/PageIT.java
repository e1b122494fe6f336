package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.Browser;
import io.cordwood.services.MissingBrowserException;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.MutableCapabilities;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.remote.RemoteWebDriver;

/** The page in a real browser, on a real service: as a user sees it. */
@Timeout(180)
class PageIT {
    private static final String RESULTS = ".results .block .row";
    private static final int ROWS = 60;
    /** Lines that try to become markup, to hide their end, or to reorder it. */
    private static final List<String> HOSTILE = List.of(
            "<script>window.ran = true</script> hostile",
            "hostile \"'><img src=x onerror='window.ran = true'>",
            "hostile user\u202Enimda\u0000\u001b[2K\u200bend");

    @TempDir
    private static Path home;

    private static SearchFixture fixture;
    private static Browser browser;

    private RemoteWebDriver page;

    @BeforeAll
    static void start() throws Exception {
        try {
            browser = TestServices.browser();
        } catch (MissingBrowserException e) {
            boolean inContinuousIntegration = "true".equals(System.getenv("CI"));
            assumeTrue(inContinuousIntegration, e.getMessage());
            throw e;
        }
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
                "ts",
                newest.minusSeconds(ROWS).toString(),
                "level",
                "DEBUG",
                "message",
                "large " + "x".repeat(50_000)));
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
        page = new RemoteWebDriver(URI.create(browser.url()).toURL(), new MutableCapabilities(browser.capabilities()));
        page.manage().window().setSize(new Dimension(1400, 1000));
    }

    @AfterEach
    void closeWindow() {
        if (page != null) {
            page.quit();
        }
    }

    @Test
    void patternsAreListedAndOneOfThemFiltersTheRows() throws Exception {
        open("tenant=acme");
        awaitCount("64 rows");
        click(By.id("tab-patterns"));
        awaitCount("64 rows, 6 patterns");
        assertThat(texts(".patterns .pattern"))
                .startsWith("request <num> done", "request <num> failed")
                .anyMatch(text -> text.startsWith("<script>window.ran"));
        assertThat(texts(".patterns .row:nth-child(2) .number")).containsExactly("54", "new");
        click(By.xpath("//button[.='request <num> failed']"));
        awaitCount("6 rows");
        assertThat(page.getCurrentUrl()).contains("query=message").doesNotContain("tab=");
    }

    @Test
    void aSearchFindsRowsNewestFirstAndFacetsFilterThem() throws Exception {
        open("tenant=acme");
        awaitCount("64 rows");
        assertThat(texts(RESULTS + " .cell.text")).startsWith("request 0 failed", "request 1 done");
        search("failed");
        awaitCount("6 rows");
        assertThat(texts(".histogram .legend")).containsExactly("ERROR 6");
        assertThat(attributes(".bucket", "aria-label")).anyMatch(text -> text.matches(".*: [1-9] rows?, [1-9] ERROR"));

        search("");
        awaitCount("64 rows");
        click(By.xpath("//button[@class='value'][.//span='shop']"));
        awaitCount("30 rows");
        assertThat(query()).isEqualTo("service:\"shop\"");
        click(".facets button[aria-label='Exclude ERROR']");
        awaitCount("24 rows");
        assertThat(query()).isEqualTo("service:\"shop\" -level:\"ERROR\"");

        page.navigate().back();
        awaitCount("30 rows");
        page.navigate().back();
        awaitCount("64 rows");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aRowExpandsFiltersAndHasAContext() throws Exception {
        open("tenant=acme&query=%22request+30%22");
        awaitCount("1 row");
        click(RESULTS);
        awaitTexts(".details dt", List.of("ts", "level", "service", "message", "attributes.trace"));
        click(".details .line button:nth-child(2)");
        Waiting.until("the raw JSON is there", () -> !texts(".details .raw pre").isEmpty());
        assertThat(SearchFixture.parse(texts(".details .raw pre").getFirst())
                        .path("attributes")
                        .path("trace")
                        .asText())
                .isEqualTo("t30");

        click(".details .line button:nth-child(1)");
        Waiting.until("the context is there", () -> texts("#context .cell.text").size() == 51);
        assertThat(texts("#context .marked .cell.text")).containsExactly("request 30 failed");
        assertThat(texts("#context .cell.text")).startsWith("request 55 done", "request 54 done");
        page.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        Waiting.until("the context is closed", () -> count("#context") == 0);

        click(".details .line button:nth-child(2)");
        click(".details button[aria-label='Only rows with this attributes.trace']");
        Waiting.until("the query has the value", () -> query().equals("\"request 30\" attributes.trace:\"t30\""));
        awaitCount("1 row");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void logTextIsOnlyText() throws Exception {
        open("tenant=acme&query=hostile&wrap=true");
        awaitCount("3 rows");
        assertThat(texts(RESULTS + " .cell.text"))
                .containsExactlyInAnyOrder(
                        HOSTILE.get(0), HOSTILE.get(1), "hostile userU+202Enimda\u2400\u241b[2KU+200Bend");
        page.executeScript("document.querySelectorAll(arguments[0]).forEach(row => row.click())", RESULTS);
        Waiting.until("all are open", () -> count(".details") == 3);
        assertThat(texts(".details pre")).contains(HOSTILE.get(0), HOSTILE.get(1));
        assertThat(String.join("", texts(".page"))).doesNotContain("\u202E", "\u0000", "\u001b", "\u200b");
        assertThat(count("#app script, #app img")).isZero();
        assertThat(page.executeScript("return window.ran")).isNull();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aLongLineIsCutUntilAllIsAskedFor() throws Exception {
        open("tenant=acme&query=large");
        awaitCount("1 row");
        assertThat(texts(RESULTS + " .cell.text").getFirst().length()).isLessThan(3_000);
        click(RESULTS);
        Waiting.until("it is open", () -> count(".details") == 1);
        WebElement all = page.findElement(By.cssSelector(".details .long > button"));
        assertThat(all.getText()).isEqualTo("Show all 50,006 characters");
        all.click();
        Waiting.until("all is shown", () -> texts(".details pre").contains("large " + "x".repeat(50_000)));
        assertThat(complaints()).isEmpty();
    }

    @Test
    void theLiveTailShowsWhatArrives() throws Exception {
        open("tenant=globex&tab=live&query=printer");
        Waiting.until("it follows", () -> texts("#tail-state").equals(List.of("Following")));
        // The row is seen only if the tail had begun, so it is shipped until it is
        Waiting.until("the row is there", () -> {
            fixture.ship("globex", List.of(Map.of("message", "printer on fire"), Map.of("message", "a fax")));
            return count(RESULTS) > 0;
        });
        assertThat(texts(RESULTS + " .cell.text")).containsOnly("printer on fire");
        click(".tail button");
        Waiting.until("it pauses", () -> texts("#tail-state").getFirst().startsWith("Paused"));
        int shown = count(RESULTS);
        Waiting.until("a row waits", () -> {
            fixture.ship("globex", List.of(Map.of("message", "printer is out")));
            return texts("#tail-state").getFirst().contains(" wait");
        });
        assertThat(count(RESULTS)).isEqualTo(shown);
        click(".tail button");
        Waiting.until("it shows them", () -> texts(RESULTS + " .cell.text").contains("printer is out"));
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aLinkRestoresWhatIsShown() throws Exception {
        open("tenant=acme");
        awaitCount("64 rows");
        search("level:error -service:mail");
        awaitCount("6 rows");
        click(By.xpath("//button[text()='Wrap']"));
        click(".menu summary");
        click(By.xpath("//div[@class='choices']/label[contains(., 'service')]"));
        Waiting.until(
                "the column is gone", () -> texts(".row.head span").equals(List.of("time (UTC)", "level", "message")));
        String link = page.getCurrentUrl();
        page.switchTo().newWindow(WindowType.WINDOW);
        page.get(link);
        awaitCount("6 rows");
        assertThat(query()).isEqualTo("level:error -service:mail");
        assertThat(texts(".row.head span")).containsExactly("time (UTC)", "level", "message");
        assertThat(count(".rows.wrap")).isEqualTo(1);
        assertThat(complaints()).isEmpty();
    }

    @Test
    void anErrorShowsItsPlaceAndSqlIsThere() throws Exception {
        open("tenant=acme");
        awaitCount("64 rows");
        search("done (a OR");
        Waiting.until("the error is there", () -> count("#problem mark") == 1);
        assertThat(texts("#problem .place").getFirst().strip()).isEqualTo("done (a OR");
        search("failed");
        awaitCount("6 rows");
        click(By.xpath("//button[text()='SQL']"));
        Waiting.until("the SQL is there", () -> count("#sql pre") == 1);
        assertThat(texts("#sql pre").getFirst()).startsWith("SELECT ").contains("cordwood.acme.logs");
        // That the request was refused is all that the browser complains of
        assertThat(complaints()).allMatch(complaint -> complaint.contains("Failed to load resource"));
    }

    @Test
    void columnsAndValuesAreCompletedAndKeysMoveThroughRows() throws Exception {
        open("tenant=acme");
        awaitCount("64 rows");
        page.findElement(By.tagName("body")).sendKeys("/");
        WebElement input = page.switchTo().activeElement();
        assertThat(input.getAttribute("id")).isEqualTo("query");
        input.sendKeys("ser");
        awaitTexts("#completions span", List.of("service"));
        input.sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
        Waiting.until("values are there", () -> texts("#completions span").contains("mail"));
        input.sendKeys("ma");
        awaitTexts("#completions span", List.of("mail"));
        input.sendKeys(Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER);
        awaitCount("30 rows");
        assertThat(query()).isEqualTo("service:mail");

        input.sendKeys(Keys.ESCAPE);
        page.findElement(By.tagName("body")).sendKeys("jj");
        Waiting.until(
                "the second row is chosen",
                () -> texts(".row.selected .cell.text").equals(List.of("request 3 done")));
        page.switchTo().activeElement().sendKeys(Keys.ENTER);
        Waiting.until("it is open", () -> count(".details") == 1);
        page.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        Waiting.until("it is closed", () -> count(".details") == 0);
        assertThat(complaints()).isEmpty();
    }

    @Test
    void fitsASmallWindow() throws Exception {
        narrow(360);
        open("tenant=acme&query=failed");
        awaitCount("6 rows");
        assertThat(page.executeScript("return innerWidth")).isEqualTo(360L);
        click(RESULTS);
        Waiting.until("it is open", () -> count(".details") == 1);
        assertThat(page.executeScript("const all = document.documentElement; return all.scrollWidth - all.clientWidth"))
                .as("too wide for the window")
                .isEqualTo(0L);
        assertThat(complaints()).isEmpty();
    }

    /** Makes the window narrower than that of a browser can be. */
    private void narrow(int width) throws Exception {
        String command = """
                {"cmd": "Emulation.setDeviceMetricsOverride",
                 "params": {"width": %d, "height": 800, "deviceScaleFactor": 1, "mobile": false}}
                """.formatted(width);
        URI devTools = URI.create("%s/session/%s/goog/cdp/execute".formatted(browser.url(), page.getSessionId()));
        HttpResponse<String> response = fixture.http()
                .send(
                        HttpRequest.newBuilder(devTools)
                                .POST(HttpRequest.BodyPublishers.ofString(command))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    @Test
    void theServiceServesNoOtherFiles() throws Exception {
        assertThat(fixture.get("/").headers().firstValue("content-security-policy"))
                .isPresent();
        assertThat(fixture.get("/page/nosuch.js").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/page/..%2f..%2fMETA-INF/MANIFEST.MF").statusCode())
                .isEqualTo(404);
    }

    private void open(String fragment) {
        page.get(fixture.uri() + "/#stream=" + SearchFixture.STREAM + "&" + fragment);
    }

    private void search(String query) {
        WebElement input = page.findElement(By.id("query"));
        input.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        input.sendKeys(query, Keys.ENTER);
    }

    private String query() {
        return (String) page.executeScript("return document.getElementById('query').value");
    }

    private void click(String selector) throws Exception {
        click(By.cssSelector(selector));
    }

    /** Clicks an element, which the page may draw anew at any time. */
    private void click(By element) throws Exception {
        Waiting.until(element + " is clicked", () -> {
            try {
                page.findElement(element).click();
                return true;
            } catch (NoSuchElementException | StaleElementReferenceException e) {
                return false;
            }
        });
    }

    private void awaitCount(String rows) throws Exception {
        Waiting.until(
                "there are " + rows,
                () -> count(".results[aria-busy=false]") == 1
                        && texts("#count").stream().anyMatch(text -> text.matches(rows + "([0-9.]+ ms)?")));
    }

    private void awaitTexts(String selector, List<String> expected) throws Exception {
        Waiting.until(
                "%s are %s".formatted(selector, expected), () -> texts(selector).equals(expected));
    }

    private int count(String selector) {
        return ((Long) page.executeScript("return document.querySelectorAll(arguments[0]).length", selector))
                .intValue();
    }

    /** What is in the elements. One script, since the page may draw them anew at any time. */
    private List<String> texts(String selector) {
        return ask("return [...document.querySelectorAll(arguments[0])].map(element => element.textContent)", selector);
    }

    private List<String> attributes(String selector, String name) {
        return ask(
                "return [...document.querySelectorAll(arguments[0])].map(one => one.getAttribute(arguments[1]))",
                selector,
                name);
    }

    @SuppressWarnings("unchecked") // the scripts give strings
    private List<String> ask(String script, Object... arguments) {
        return (List<String>) page.executeScript(script, arguments);
    }

    /** What the page or the browser has written to the console. */
    private List<String> complaints() {
        return page.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }
}
