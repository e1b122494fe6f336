package io.cordwood.search.logql.line;

import io.cordwood.search.logql.template.TemplateContext;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A line and its labels on the way through the stages. A label with an empty value is none. Not thread-safe.
 *
 * <p>A parser does not overwrite a label that the line has without it: the parsed one gets a suffix.
 *
 * <p>Stages that would give it names and values of more than {@value #MAX_LENGTH} characters in all give it no more,
 * and an error.
 */
public final class LogLine implements TemplateContext {
    /** The label that has the kind of an error. */
    public static final String ERROR = "__error__";

    /** The label that says what is wrong. */
    public static final String ERROR_DETAILS = "__error_details__";

    /** Most characters of names and values that stages give a line. */
    static final long MAX_LENGTH = 1 << 20;

    private static final String SUFFIX = "_extracted";
    private static final String TOO_LONG = "LabelsTooLongErr";

    /** Most characters of what an error says, which may quote a value. */
    private static final int MAX_DETAILS = 1_000;

    private final long nanos;
    private final Map<String, String> stream;
    private final Map<String, String> structured;
    private final Map<String, String> parsed = new LinkedHashMap<>();
    private String line;
    private long added;

    /**
     * A line as it is stored.
     *
     * @param nanos its time, in nanoseconds since the epoch
     * @param stream labels of its stream
     * @param structured its other labels
     */
    public LogLine(long nanos, String line, Map<String, String> stream, Map<String, String> structured) {
        this.nanos = nanos;
        this.line = line;
        this.stream = new LinkedHashMap<>(stream);
        this.structured = new LinkedHashMap<>(structured);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public String line() {
        return line;
    }

    @Override
    public String label(String name) {
        for (Map<String, String> labels : List.of(parsed, structured, stream)) {
            String value = labels.get(name);
            if (value != null) {
                return value;
            }
        }
        return "";
    }

    /** Whether a stage failed for it. */
    public boolean hasError() {
        return parsed.containsKey(ERROR);
    }

    /** The labels of its stream, as far as no stage has changed them. */
    public SortedMap<String, String> stream() {
        return new TreeMap<>(stream);
    }

    /** Its other labels that no parser made. */
    public SortedMap<String, String> structured() {
        return new TreeMap<>(structured);
    }

    /** The labels that stages made. */
    public SortedMap<String, String> parsed() {
        return new TreeMap<>(parsed);
    }

    /** All labels. */
    public SortedMap<String, String> labels() {
        SortedMap<String, String> all = new TreeMap<>(stream);
        all.putAll(structured);
        all.putAll(parsed);
        return all;
    }

    /** The number of characters of the line and its labels. */
    public long length() {
        long length = line.length();
        for (Map<String, String> labels : List.of(stream, structured, parsed)) {
            for (Map.Entry<String, String> label : labels.entrySet()) {
                length += label.getKey().length() + label.getValue().length();
            }
        }
        return length;
    }

    void replaceLine(String replacement) {
        line = replacement;
    }

    /**
     * Whether there is room for so many more characters; if not, that is an error, and there is no room from then on.
     * What is not added in the end counts as well, since it takes the time to make it.
     */
    private boolean takes(long characters) {
        added = Math.min(MAX_LENGTH + 1, added + characters);
        if (isFull()) {
            fail(TOO_LONG, "the labels are longer than %,d characters, and some are missing".formatted(MAX_LENGTH));
        }
        return !isFull();
    }

    /** Whether it takes no more labels. */
    boolean isFull() {
        return added > MAX_LENGTH;
    }

    /** Adds a label that a parser found. The first of a name counts. */
    void extract(String name, String value) {
        boolean isTaken = stream.containsKey(name) || structured.containsKey(name);
        if (takes((long) name.length() + value.length()) && !value.isEmpty()) {
            parsed.putIfAbsent(isTaken ? name + SUFFIX : name, value);
        }
    }

    /** Adds a label that a parser found, even if it is empty. */
    void extractEmpty(String name) {
        boolean isTaken = stream.containsKey(name) || structured.containsKey(name);
        if (takes(name.length())) {
            parsed.putIfAbsent(isTaken ? name + SUFFIX : name, "");
        }
    }

    /** Sets a label, or removes it if the value is empty. False if the line takes no more. */
    boolean set(String name, String value) {
        if (!value.isEmpty() && !takes((long) name.length() + value.length())) {
            return false;
        }
        remove(name);
        if (!value.isEmpty()) {
            parsed.put(name, value);
        }
        return true;
    }

    void remove(String name) {
        stream.remove(name);
        structured.remove(name);
        parsed.remove(name);
    }

    /** Notes that a stage failed. The first error counts. */
    void fail(String kind, String details) {
        if (parsed.putIfAbsent(ERROR, kind) == null) {
            parsed.put(ERROR_DETAILS, details.substring(0, Math.min(details.length(), MAX_DETAILS)));
        }
    }

    /** The names of all labels. */
    Collection<String> names() {
        return List.copyOf(labels().keySet());
    }
}
