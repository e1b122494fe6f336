package io.cordwood.standalone.observability;

import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What all components of a stack answer Prometheus at one time. Immutable.
 *
 * @param samples every series
 */
public record Scrapes(List<Sample> samples) {
    private static final Pattern TARGET = Pattern.compile("127\\.0\\.0\\.1:\\d+");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SELECTOR = Pattern.compile("\\b((?:cordwood|jvm|process)_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");

    /** A series and its value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /** {@code host:port} of each component of a stack, as its configuration of Prometheus has them. */
    public static List<String> targets(Home home) throws IOException {
        return TARGET.matcher(Files.readString(home.prometheus()))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /**
     * Asks the components.
     *
     * @param targets {@code host:port} of each
     */
    public static Scrapes of(List<String> targets) throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String target : targets) {
                HttpResponse<Stream<String>> answer = http.send(
                        HttpRequest.newBuilder(URI.create("http://" + target + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofLines());
                if (answer.statusCode() != 200) {
                    throw new IOException(target + " answers with status " + answer.statusCode());
                }
                answer.body()
                        .filter(line -> !line.startsWith("#"))
                        .map(Scrapes::sample)
                        .forEach(samples::add);
            }
        }
        return new Scrapes(List.copyOf(samples));
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("Not a sample of a metric: " + line);
        }
        Map<String, String> labels = new HashMap<>();
        if (sample.group(2) != null) {
            Matcher label = LABEL.matcher(sample.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(sample.group(1), labels, Double.parseDouble(sample.group(3)));
    }

    /** The selectors of an expression that no series here has. */
    public List<String> withoutSeries(String expression) {
        List<String> missing = new ArrayList<>();
        Matcher selector = SELECTOR.matcher(expression);
        while (selector.find()) {
            String name = selector.group(1);
            String conditions = selector.group(2) == null ? "" : selector.group(2);
            if (samples.stream().noneMatch(sample -> sample.name().equals(name) && matches(sample, conditions))) {
                missing.add(selector.group());
            }
        }
        return missing;
    }

    private static boolean matches(Sample sample, String conditions) {
        Matcher condition = MATCHER.matcher(conditions);
        while (condition.find()) {
            String value = sample.labels().getOrDefault(condition.group(1), "");
            boolean matches = switch (condition.group(2)) {
                case "=" -> value.equals(condition.group(3));
                case "!=" -> !value.equals(condition.group(3));
                case "=~" -> value.matches(condition.group(3));
                default -> !value.matches(condition.group(3));
            };
            if (!matches) {
                return false;
            }
        }
        return true;
    }
}
