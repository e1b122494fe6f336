package io.cordwood.services;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Holds tests that are {@link LeftOut} to their refusal, and to their list in the documents. Stateless. */
public final class LeftOutTests implements InvocationInterceptor {
    private static final Pattern ROW = Pattern.compile("^\\| (`\\w+`(?:, `\\w+`)*) \\| (.+) \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\w+");

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        expectRefusal(invocation, method.getExecutable());
    }

    private static void expectRefusal(Invocation<Void> invocation, Method test) throws Throwable {
        LeftOut leftOut = test.getAnnotation(LeftOut.class);
        try {
            invocation.proceed();
        } catch (TestAbortedException e) {
            throw new AssertionError("The suite itself skips %s: let it run".formatted(test.getName()), e);
        } catch (Exception | AssertionError e) {
            if (trace(e).contains(leftOut.refusal())) {
                return;
            }
            throw new AssertionError(
                    "%s is left out because of '%s', but fails with something else"
                            .formatted(test.getName(), leftOut.refusal()),
                    e);
        }
        throw new AssertionError("%s passes: it is not left out, take it off the list".formatted(test.getName()));
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /**
     * Checks that the tests which a class leaves out, with the reasons, are those that a document lists in the section
     * whose heading names the class.
     *
     * @throws AssertionError if they differ
     */
    public static void checkListed(Class<?> suite, Path document) throws IOException {
        Map<String, String> listed = new TreeMap<>();
        ROW.matcher(section(suite, Files.readString(document)))
                .results()
                .forEach(row -> names(row).forEach(name -> listed.put(name, row.group(2))));
        Map<String, String> leftOut = Arrays.stream(suite.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(LeftOut.class))
                .collect(Collectors.toMap(
                        Method::getName,
                        method -> method.getAnnotation(LeftOut.class).because()));
        if (!listed.equals(leftOut)) {
            throw new AssertionError("%s lists other tests of %s than are left out. It lists%n%s%nLeft out are%n%s"
                    .formatted(document, suite.getSimpleName(), lines(listed), lines(new TreeMap<>(leftOut))));
        }
    }

    private static String section(Class<?> suite, String document) {
        List<String> sections = Arrays.stream(document.split("(?m)^## "))
                .filter(section -> section.lines().findFirst().orElse("").contains("`" + suite.getSimpleName() + "`"))
                .toList();
        if (sections.size() != 1) {
            throw new AssertionError(
                    "There are %d sections on `%s`, not one".formatted(sections.size(), suite.getSimpleName()));
        }
        return sections.get(0);
    }

    private static List<String> names(MatchResult row) {
        return NAME.matcher(row.group(1)).results().map(MatchResult::group).toList();
    }

    private static String lines(Map<String, String> tests) {
        Function<Map.Entry<String, String>, String> line = test -> "  %s: %s".formatted(test.getKey(), test.getValue());
        return tests.entrySet().stream().map(line).collect(Collectors.joining("\n"));
    }
}
