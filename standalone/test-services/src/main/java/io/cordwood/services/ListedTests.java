package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Checks that the tests that a class leaves out of a third-party suite match the list of a document, in the section
 * whose heading names the class: tests that are {@link LeftOut}, with their reasons, and tests that the suite skips by
 * itself. Thread-safe.
 */
public final class ListedTests implements TestWatcher, AfterAllCallback {
    private static final Pattern ROW = Pattern.compile("^\\| (`\\w+`(?:, `\\w+`)*) \\| (.+) \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\w+");

    private final Path document;
    private final Set<String> skipped = new ConcurrentSkipListSet<>();
    private final Set<String> passed = new ConcurrentSkipListSet<>();

    /** @param document with a table of test names and reasons */
    public ListedTests(Path document) {
        this.document = document;
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        skipped.add(context.getRequiredTestMethod().getName());
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        passed.add(context.getRequiredTestMethod().getName());
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Class<?> suite = context.getRequiredTestClass();
        Map<String, String> listed = listed(suite);
        Map<String, String> leftOut = leftOut(suite);
        leftOut.forEach((test, because) -> check(
                because.equals(listed.get(test)),
                "%s does not list %s as left out because: %s".formatted(document, test, because)));
        skipped.forEach(test -> check(
                listed.containsKey(test), "%s does not list %s, which the suite skips".formatted(document, test)));
        passed.stream()
                .filter(test -> !leftOut.containsKey(test) && !skipped.contains(test))
                .forEach(test -> check(
                        !listed.containsKey(test), "%s lists %s as left out, but it passes".formatted(document, test)));
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static Map<String, String> leftOut(Class<?> suite) {
        Map<String, String> reasons = new TreeMap<>();
        Arrays.stream(suite.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(LeftOut.class))
                .forEach(method -> reasons.put(
                        method.getName(), method.getAnnotation(LeftOut.class).because()));
        return reasons;
    }

    private Map<String, String> listed(Class<?> suite) throws IOException {
        String heading = "`" + suite.getSimpleName() + "`";
        List<String> sections = Arrays.stream(Files.readString(document).split("(?m)^## "))
                .filter(section -> section.lines().findFirst().orElse("").contains(heading))
                .toList();
        check(sections.size() == 1, "%s has %d sections on %s".formatted(document, sections.size(), heading));
        Map<String, String> reasons = new TreeMap<>();
        ROW.matcher(sections.get(0))
                .results()
                .forEach(row -> NAME.matcher(row.group(1))
                        .results()
                        .map(MatchResult::group)
                        .forEach(name -> reasons.put(name, row.group(2))));
        return reasons;
    }
}
