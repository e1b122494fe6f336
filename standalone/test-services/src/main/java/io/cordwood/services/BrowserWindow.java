package io.cordwood.services;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.MutableCapabilities;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.remote.RemoteWebDriver;

/**
 * A window of a browser, and what tests ask of the page in it. The page may draw its elements anew at any time, so each
 * question is one script. Not thread-safe.
 */
public final class BrowserWindow implements AutoCloseable {
    private final Browser browser;
    private final RemoteWebDriver driver;
    private final HttpClient http = HttpClient.newHttpClient();

    private BrowserWindow(Browser browser, RemoteWebDriver driver) {
        this.browser = browser;
        this.driver = driver;
    }

    /** Opens a window with a profile of its own, of so many pixels. */
    public static BrowserWindow open(Browser browser, int width, int height) throws IOException {
        RemoteWebDriver driver =
                new RemoteWebDriver(URI.create(browser.url()).toURL(), new MutableCapabilities(browser.capabilities()));
        driver.manage().window().setSize(new Dimension(width, height));
        return new BrowserWindow(browser, driver);
    }

    /** The client that drives the window. */
    public RemoteWebDriver driver() {
        return driver;
    }

    /** Makes the page so wide, also narrower than a window can be. */
    public void showAt(int width, int height) throws IOException, InterruptedException {
        Map<String, Object> metrics = Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false);
        devTools("Emulation.setDeviceMetricsOverride", metrics);
    }

    /** Lets colours change at once: what is half way is not what its reader sees. */
    public void reduceMotion() throws IOException, InterruptedException {
        Map<String, String> reduced = Map.of("name", "prefers-reduced-motion", "value", "reduce");
        devTools("Emulation.setEmulatedMedia", Map.of("features", List.of(reduced)));
    }

    /**
     * Sends a command of the DevTools protocol.
     *
     * @return its result
     * @throws IOException if the browser refuses it
     */
    public Map<String, Object> devTools(String command, Map<String, ?> parameters)
            throws IOException, InterruptedException {
        URI devTools = URI.create("%s/session/%s/goog/cdp/execute".formatted(browser.url(), driver.getSessionId()));
        String body = new Json().toJson(Map.of("cmd", command, "params", parameters));
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(devTools)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("%s: %s".formatted(command, response.body()));
        }
        Map<String, Map<String, Object>> answer = new Json().toType(response.body(), Json.MAP_TYPE);
        return answer.get("value");
    }

    /** Clicks an element as soon as it is there and nothing covers it. */
    public void click(By element) throws InterruptedException {
        Waiting.until(element + " is clicked", () -> {
            try {
                driver.findElement(element).click();
                return true;
            } catch (NoSuchElementException | StaleElementReferenceException | ElementClickInterceptedException e) {
                return false;
            }
        });
    }

    public int count(String selector) {
        return ((Long) driver.executeScript("return document.querySelectorAll(arguments[0]).length", selector))
                .intValue();
    }

    public List<String> texts(String selector) {
        return ask("return [...document.querySelectorAll(arguments[0])].map(element => element.textContent)", selector);
    }

    public List<String> attributes(String selector, String name) {
        return ask(
                "return [...document.querySelectorAll(arguments[0])].map(one => one.getAttribute(arguments[1]))",
                selector,
                name);
    }

    /** Runs a script that returns strings. */
    @SuppressWarnings("unchecked") // the caller says so
    public List<String> ask(String script, Object... arguments) {
        return (List<String>) driver.executeScript(script, arguments);
    }

    /** Number of pixels by which the page is too wide for the window. */
    public long overflow() {
        return (Long)
                driver.executeScript("const all = document.documentElement; return all.scrollWidth - all.clientWidth");
    }

    /** Warnings and errors that the page or the browser has written to the console since the last call. */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
