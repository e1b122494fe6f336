package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Browser;
import io.cordwood.services.BrowserWindow;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.remote.RemoteWebDriver;

/** The page of a search service in a window: what a user does and sees. Not thread-safe. */
final class SearchPage implements AutoCloseable {
    /** Selects the rows that a search found. */
    static final String RESULTS = ".results .block .row";

    private static final int MOST_TABS = 80;
    private static final Map<String, ?> TAB =
            Map.of("type", "rawKeyDown", "key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9);

    private final SearchFixture fixture;
    private final BrowserWindow window;

    private SearchPage(SearchFixture fixture, BrowserWindow window) {
        this.fixture = fixture;
        this.window = window;
    }

    static SearchPage in(Browser browser, SearchFixture fixture) throws IOException {
        return new SearchPage(fixture, BrowserWindow.open(browser, 1400, 1000));
    }

    BrowserWindow window() {
        return window;
    }

    RemoteWebDriver driver() {
        return window.driver();
    }

    void open(String fragment) {
        driver().get(fixture.uri() + "/#stream=" + SearchFixture.STREAM + "&" + fragment);
    }

    String address() {
        return driver().getCurrentUrl();
    }

    void search(String query) {
        WebElement input = driver().findElement(By.id("query"));
        input.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        input.sendKeys(query, Keys.ENTER);
    }

    String query() {
        return (String) driver().executeScript("return document.getElementById('query').value");
    }

    void click(String selector) throws InterruptedException {
        window.click(By.cssSelector(selector));
    }

    /** Clicks the button with this text. */
    void clickButton(String text) throws InterruptedException {
        window.click(By.xpath("//button[.='%s']".formatted(text)));
    }

    /** @param rows a pattern of the words above the rows, such as {@code 2 rows} */
    void awaitCount(String rows) throws InterruptedException {
        Waiting.until(
                "there are " + rows,
                () -> window.count(".results[aria-busy=false]") == 1
                        && window.texts("#count").stream().anyMatch(text -> text.matches(rows + "([0-9.]+ ms)?")));
    }

    void awaitTexts(String selector, List<String> expected) throws InterruptedException {
        Waiting.until(
                "%s are %s".formatted(selector, expected),
                () -> window.texts(selector).equals(expected));
    }

    void awaitShown(String selector) throws InterruptedException {
        Waiting.until(selector + " is shown", () -> window.count(selector) > 0);
    }

    void awaitGone(String selector) throws InterruptedException {
        Waiting.until(selector + " is gone", () -> window.count(selector) == 0);
    }

    /** Presses keys where the focus is. */
    void press(CharSequence... keys) {
        driver().switchTo().activeElement().sendKeys(keys);
    }

    /**
     * Moves the focus by Tab alone.
     *
     * @param name the name of the element to assistive technology, or {@code #} and its id
     */
    void tabTo(String name) throws IOException, InterruptedException {
        List<String> passed = new ArrayList<>();
        for (int i = 0; i < MOST_TABS; i++) {
            // Faster than by WebDriver
            window.devTools("Input.dispatchKeyEvent", TAB);
            List<String> names = window.ask("""
                    const {id, labels, ariaLabel, textContent} = document.activeElement;
                    const label = labels?.[0];
                    return ['#' + id, ariaLabel ?? label?.firstChild.textContent.trim() ?? textContent.slice(0, 99),
                        label?.textContent.trim() ?? textContent]
                    """);
            if (names.contains(name)) {
                return;
            }
            passed.add(names.get(1));
        }
        assertThat(passed).as("reached by Tab").contains(name);
    }

    /** Moves the focus by Tab to an element and presses Enter. */
    void enter(String name) throws IOException, InterruptedException {
        tabTo(name);
        press(Keys.ENTER);
    }

    @Override
    public void close() {
        window.close();
    }
}
