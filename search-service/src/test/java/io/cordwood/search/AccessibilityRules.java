package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.services.BrowserWindow;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.openqa.selenium.remote.RemoteWebDriver;

/** The rules of axe-core for levels A and AA of WCAG 2.2. */
final class AccessibilityRules {
    private static final String CHECK = """
            const done = arguments[0];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
            axe.run({runOnly: tags, resultTypes: ['violations']}).then(
                ({violations}) => done(violations.flatMap(({id, nodes}) => nodes.map(node =>
                    id + ' ' + node.target.join(' ') + ': ' + node.failureSummary.replace(/\\s+/g, ' ')))),
                e => done(['no result: ' + e]));
            """;

    private AccessibilityRules() {}

    /** The rules that are broken, and where. WebDriver's scripts are not bound by the page's policy. */
    @SuppressWarnings("unchecked") // the script gives strings
    static List<String> violations(BrowserWindow window) throws IOException {
        RemoteWebDriver page = window.driver();
        if (!Boolean.TRUE.equals(page.executeScript("return 'axe' in window"))) {
            page.executeScript(script());
        }
        return (List<String>) page.executeAsyncScript(CHECK);
    }

    private static String script() throws IOException {
        try (InputStream script = AccessibilityRules.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), UTF_8);
        }
    }
}
