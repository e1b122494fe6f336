package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Browser;
import io.cordwood.services.BrowserWindow;
import io.cordwood.services.FreePort;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.remote.RemoteWebDriver;

/** The page in a real browser: as a user sees it. */
@Timeout(180)
class PageIT extends RealBalancers {
    private static final List<String> NAMES = List.of(
            "<script>window.ran = true</script>", "\"'><img src=x onerror='window.ran = true'>", "long-".repeat(25));
    private static final int TENANTS = PARTITIONS + 1 + NAMES.size();

    private static Browser browser;

    private BrowserWindow window;
    private RemoteWebDriver page;

    @BeforeAll
    static void startBrowser() throws Exception {
        browser = TestServices.browserOrSkip();
    }

    @AfterAll
    static void stopBrowser() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void openWindow() throws Exception {
        window = BrowserWindow.open(browser, 1200, 1400);
        page = window.driver();
    }

    @AfterEach
    void closeWindow() {
        if (window != null) {
            window.close();
        }
    }

    @Test
    void showsFlowsAndLoadAndFollowsNewVersions() throws Exception {
        report(100_000, NAMES.toArray(String[]::new));
        open(balancer());
        awaitTexts("#history td:first-child", List.of("1"));
        assertThat(texts("#network .tenant")).hasSize(TENANTS).contains("acme 100.0 kB/s", "small-3 1.0 kB/s");
        assertThat(texts("#network .partition"))
                .hasSize(PARTITIONS)
                .contains("partition %d 0.11 of 1.0 MB/s".formatted(ACME));
        assertThat(texts("#network .worker")).hasSize(2).contains("worker %d 0.11 of 3.4 MB/s".formatted(ACME % 2));
        assertThat(titles("#network .edge"))
                .hasSize(TENANTS + PARTITIONS)
                .contains(
                        "acme → partition %d: 100.0 kB/s".formatted(ACME),
                        "partition %d → worker %d: 107.0 kB/s".formatted(ACME, ACME % 2));
        assertThat(titles("#loads .hot")).isEmpty();

        page.executeScript("window.loadedOnce = true");
        report(2_500_000, NAMES.toArray(String[]::new));
        awaitTexts("#history td:first-child", List.of("2", "1"));
        assertThat(page.executeScript("return window.loadedOnce")).isEqualTo(true);
        List<String> newest = texts("#history tr:nth-child(2) td");
        assertThat(newest.get(2)).startsWith("hot: partition " + ACME);
        assertThat(newest.get(5)).matches("25[01] % → [0-9]{2} %");

        // The load that was asked for before that may be from the round before.
        String hot = "partition %d, now: 2.51 of 1.0 MB/s".formatted(ACME);
        Waiting.until("the partition is hot", () -> titles("#loads .hot").contains(hot));
        assertThat(texts("#network .partition")).contains("partition %d 2.51 of 1.0 MB/s".formatted(ACME));
        assertThat(titles("#loads .plan"))
                .filteredOn(title -> title.startsWith("partition"))
                .hasSize(PARTITIONS)
                .allMatch(title -> title.contains(": 0."), "below its capacity");
        page.findElement(By.cssSelector("input[value=plan]")).click();
        assertThat(titles("#network .edge"))
                .filteredOn(title -> title.startsWith("acme → "))
                .hasSizeGreaterThan(2);
        assertNamesAreText();

        page.manage().window().setSize(new Dimension(500, 900));
        assertThat(window.overflow()).as("too wide for the window").isNotPositive();
        assertThat(window.complaints()).isEmpty();
    }

    private void assertNamesAreText() {
        assertThat(texts("#tenants td:first-child"))
                .hasSize(TENANTS)
                .startsWith("acme")
                .containsAll(NAMES);
        assertThat(titles("#network .tenant")).containsAll(NAMES);
        assertThat(page.executeScript("return window.ran")).isNull();
        assertThat(page.findElements(By.cssSelector("main script, main img"))).isEmpty();
    }

    @Test
    void saysWhenTheBalancerIsAwayAndGoesOnWhenItIsBack() throws Exception {
        report(100_000);
        URI address = balancer("--port", Integer.toString(FreePort.choose()));
        open(address);
        awaitTexts("#history td:first-child", List.of("1"));
        WebElement problem = page.findElement(By.id("problem"));
        assertThat(problem.isDisplayed()).isFalse();

        processes.getFirst().destroyForcibly().waitFor();
        Waiting.until("the page says so", problem::isDisplayed);
        assertThat(problem.getText()).startsWith("The balancer does not answer. Trying again");
        assertThat(texts("#history td:first-child")).containsExactly("1");

        balancer("--port", Integer.toString(address.getPort()));
        Waiting.until("the page goes on", () -> !problem.isDisplayed());
        report(2_500_000);
        awaitTexts("#history td:first-child", List.of("2", "1"));
        // That it was away is all that the browser complains of.
        assertThat(window.complaints())
                .isNotEmpty()
                .allMatch(complaint -> complaint.contains("Failed to load resource"));
    }

    /** Opens the page of a balancer that has made a table: before, there is nothing to show. */
    private void open(URI balancer) throws Exception {
        Waiting.until("there is a table", () -> {
            try (InputStream routes = balancer.resolve("/api/routes").toURL().openStream()) {
                return JSON.readTree(routes).path("version").asLong() > 0;
            }
        });
        page.get(balancer.resolve("/").toString());
    }

    private void awaitTexts(String selector, List<String> expected) throws Exception {
        Waiting.until(
                "%s are %s".formatted(selector, expected), () -> texts(selector).equals(expected));
    }

    /** What is to be read in the elements. One script, since the page may draw them anew at any time. */
    private List<String> texts(String selector) {
        return window.ask("""
                return [...document.querySelectorAll(arguments[0])].map(element => {
                  const copy = element.cloneNode(true);
                  copy.querySelectorAll('title').forEach(title => title.remove());
                  const parts = copy.querySelectorAll('text');
                  return [...(parts.length ? parts : [copy])].map(part => part.textContent.trim()).join(' ');
                })
                """, selector);
    }

    private List<String> titles(String selector) {
        return window.ask(
                "return [...document.querySelectorAll(arguments[0] + ' > title')].map(title => title.textContent)",
                selector);
    }
}
