package io.cordwood.systemtests.ledger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Errors that a reader found: a count of each kind, and descriptions of the first few. Thread-safe. */
public final class Findings {
    /** Exit code of a run with findings; a run that could not complete has another. */
    public static final int EXIT_CODE = 3;

    private static final int EXAMPLES = 5;

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, List<String>> examples = new EnumMap<>(Kind.class);

    /** A kind of error in an answer. */
    public enum Kind {
        /** An acknowledged row is missing. */
        LOST,
        /** A row is there more than once. */
        DOUBLE,
        /** A row is there that was never sent, was sent for another tenant, or was deleted before. */
        UNEXPECTED,
        /** A row has a value that was not sent, or another offset than Kafka gave it. */
        WRONG,
        /** Rows of a LogBlock are not ordered by (ts, partition, offset). */
        OUT_OF_ORDER,
        /** A component did not recover, or rows were not archived, in time. */
        NOT_RECOVERED,
        /** Rows cannot be read at the end, when everything runs. */
        UNREADABLE,
        /** The rows of a tenant and partition in an answer were not a prefix. */
        NOT_A_PREFIX
    }

    public synchronized void add(Kind kind, String example) {
        counts.merge(kind, 1, Integer::sum);
        List<String> known = examples.computeIfAbsent(kind, any -> new ArrayList<>());
        if (known.size() < EXAMPLES) {
            known.add(example);
        }
    }

    public synchronized int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    public synchronized boolean isEmpty() {
        return counts.isEmpty();
    }

    public synchronized List<String> examples() {
        List<String> lines = new ArrayList<>();
        examples.forEach((kind, texts) -> texts.forEach(text -> lines.add(kind + ": " + text)));
        return lines;
    }
}
