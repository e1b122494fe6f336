package io.cordwood.gateway.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import io.cordwood.catalog.pipeline.ColumnPattern;
import io.cordwood.catalog.pipeline.Step;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonScanner;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Takes columns out of the text of a column. Thread-safe. */
final class ParseStep implements RowStep {
    private static final Pattern CONTROL_CHARACTERS = Pattern.compile("[\\x00-\\x1F]");

    private final Step.Parse step;
    private final Optional<ColumnPattern> pattern;
    private final Set<String> numbers = new HashSet<>();

    ParseStep(Step.Parse step) {
        this.step = step;
        this.pattern = step.pattern().map(text -> ColumnPattern.of(step.format(), text));
        step.numbers().forEach(name -> numbers.add(name.toLowerCase(Locale.ROOT)));
        pattern.ifPresent(present -> present.groups().stream()
                .filter(ColumnPattern.Group::isNumber)
                .forEach(group -> numbers.add(group.column().toLowerCase(Locale.ROOT))));
    }

    @Override
    public Outcome apply(Row row, long seed) {
        Optional<String> text = row.text(step.column()).filter(found -> found.length() <= MAX_CHARACTERS);
        if (text.isEmpty()) {
            return row.has(step.column()) ? Outcome.UNPARSED : Outcome.DONE;
        }
        return switch (step.format()) {
            case JSON -> json(row, text.get());
            case LOGFMT -> put(row, Logfmt.parse(text.get()));
            case REGEX, GROK -> put(row, matched(text.get()));
        };
    }

    private Outcome json(Row row, String text) {
        try {
            // A row is one line. Between tokens a blank is the same; JSON has no control characters in strings
            byte[] bytes = CONTROL_CHARACTERS.matcher(text).replaceAll(" ").getBytes(UTF_8);
            row.putAll(Row.read(bytes, 0, bytes.length, row.memory()), step.overwrite());
            return Outcome.DONE;
        } catch (UndecodableRecordException e) {
            return Outcome.UNPARSED;
        }
    }

    private Map<String, String> matched(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        Matcher matcher = pattern.orElseThrow().matcher(text);
        if (matcher.find()) {
            for (ColumnPattern.Group group : pattern.orElseThrow().groups()) {
                String value = matcher.group(group.number());
                if (value != null) {
                    values.putIfAbsent(group.column(), value);
                }
            }
        }
        return values;
    }

    private Outcome put(Row row, Map<String, String> values) {
        Row parsed = Row.empty(row.memory());
        values.forEach((name, value) -> {
            if (numbers.contains(name.toLowerCase(Locale.ROOT)) && isNumber(value)) {
                parsed.putNumber(name, value);
            } else {
                parsed.put(name, value);
            }
        });
        row.putAll(parsed, step.overwrite());
        return values.isEmpty() ? Outcome.UNPARSED : Outcome.DONE;
    }

    @Override
    public boolean adds() {
        return true;
    }

    /** Whether JSON writes a number like this. */
    private static boolean isNumber(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        JsonScanner scanner = new JsonScanner();
        scanner.reset(bytes, 0, bytes.length);
        try {
            JsonScanner.Token token = scanner.value();
            scanner.expectEnd();
            return token == JsonScanner.Token.INTEGER
                    || token == JsonScanner.Token.FRACTION
                    || token == JsonScanner.Token.BIG_INTEGER;
        } catch (UndecodableRecordException e) {
            return false;
        }
    }
}
