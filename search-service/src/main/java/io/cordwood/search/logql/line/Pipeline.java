package io.cordwood.search.logql.line;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.search.logql.Stage;
import io.cordwood.search.logql.regex.Matching;
import io.cordwood.search.logql.template.Template;
import io.cordwood.search.logql.template.TemplateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stages of a query, to be applied to lines. Thread-safe. */
public final class Pipeline {
    private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*[a-zA-Z]");

    private final List<Stage> stages;

    public Pipeline(List<Stage> stages) {
        this.stages = List.copyOf(stages);
    }

    /** Applies the stages to a line, which they change. Whether they keep it. */
    public boolean keeps(LogLine line) {
        for (Stage stage : stages) {
            Matching.check();
            if (!apply(stage, line)) {
                return false;
            }
        }
        return true;
    }

    private static boolean apply(Stage stage, LogLine line) {
        switch (stage) {
            case Stage.LineFilter filter -> {
                return passes(filter, line.line());
            }
            case Stage.LabelFilter(var condition) -> {
                return Conditions.holds(condition, line);
            }
            case Stage.Json json -> JsonFields.extract(json, line);
            case Stage.Unpack _ -> JsonFields.unpack(line);
            case Stage.Logfmt logfmt -> LogfmtFields.extract(logfmt, line);
            case Stage.Regexp(Pattern pattern) -> extract(pattern, line);
            case Stage.Capture(var pattern) -> pattern.captures(line.line()).forEach(line::extract);
            case Stage.LineFormat(Template template) -> format(template, line).ifPresent(line::replaceLine);
            case Stage.LabelFormat(List<Stage.Assignment> assignments) -> assign(assignments, line);
            case Stage.Drop(List<Stage.LabelChoice> choices) -> drop(choices, line);
            case Stage.Keep(List<Stage.LabelChoice> choices) -> keep(choices, line);
            case Stage.Decolorize _ ->
                line.replaceLine(Matching.matcher(COLOURS, line.line()).replaceAll(""));
        }
        return true;
    }

    private static boolean passes(Stage.LineFilter filter, String line) {
        return filter.alternatives().stream().anyMatch(match -> match.isIn(line)) != filter.negated();
    }

    private static void extract(Pattern pattern, LogLine line) {
        Matcher matcher = Matching.matcher(pattern, line.line());
        if (matcher.find()) {
            for (Map.Entry<String, Integer> group : pattern.namedGroups().entrySet()) {
                if (!line.isFull()) {
                    Optional.ofNullable(matcher.group(group.getValue()))
                            .ifPresent(value -> line.extract(LabelNames.of(group.getKey()), value));
                }
            }
        }
    }

    private static Optional<String> format(Template template, LogLine line) {
        try {
            return Optional.of(template.apply(line));
        } catch (TemplateException e) {
            line.fail("TemplateFormatErr", e.getMessage());
            return Optional.empty();
        }
    }

    private static void assign(List<Stage.Assignment> assignments, LogLine line) {
        for (Stage.Assignment assignment : assignments) {
            switch (assignment) {
                case Stage.Assignment.Rename(String label, String from) -> {
                    String value = line.label(from);
                    if (!value.isEmpty() && line.set(label, value) && !label.equals(from)) {
                        line.remove(from);
                    }
                }
                case Stage.Assignment.Format(String label, Template template) -> {
                    if (!line.isFull()) {
                        format(template, line).ifPresent(value -> line.set(label, value));
                    }
                }
            }
        }
    }

    private static void drop(List<Stage.LabelChoice> choices, LogLine line) {
        for (Stage.LabelChoice choice : choices) {
            if (choice.applies(choice.label(), line.label(choice.label()))) {
                line.remove(choice.label());
                if (choice.label().equals(LogLine.ERROR)) {
                    line.remove(LogLine.ERROR_DETAILS);
                }
            }
        }
    }

    private static void keep(List<Stage.LabelChoice> choices, LogLine line) {
        for (String name : line.names()) {
            boolean isKept = name.equals(LogLine.ERROR)
                    || name.equals(LogLine.ERROR_DETAILS)
                    || choices.stream().anyMatch(choice -> choice.applies(name, line.label(name)));
            if (!isKept) {
                line.remove(name);
            }
        }
    }
}
