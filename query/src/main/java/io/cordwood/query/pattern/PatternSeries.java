package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lines of some templates over time. It depends on the lines alone, not on their order. Its memory is bounded by the
 * number of templates and of steps. Not thread-safe.
 */
public final class PatternSeries implements LineCounter {
    /** Memory for signatures whose template is known, in bytes. */
    private static final long MAX_KNOWN_BYTES = 4 << 20;

    private static final int ENTRY_BYTES = 100;
    private static final long[] NOT_COUNTED = {};

    private final Templates templates;
    private final long fromMicros;
    private final long stepMicros;
    private final Map<String, long[]> counts = new LinkedHashMap<>();
    private final Masker masker = new Masker();
    private final SignatureTable<long[]> known = new SignatureTable<>();
    private long knownBytes;

    /**
     * Counts lines.
     *
     * @param shown the templates whose lines are counted, as patterns show them
     * @param fromMicros beginning of the first step, in microseconds since the epoch
     * @param stepMicros length of a step in microseconds
     * @param steps number of steps; lines beyond them are not counted
     */
    public PatternSeries(Templates templates, List<String> shown, long fromMicros, long stepMicros, int steps) {
        this.templates = templates;
        this.fromMicros = fromMicros;
        this.stepMicros = stepMicros;
        shown.forEach(template -> counts.put(template, new long[steps]));
    }

    @Override
    public void add(byte[] line, int from, int to, long micros, boolean isBefore) {
        masker.mask(line, from, to);
        long hash = SignatureTable.hash(masker.signature(), masker.length());
        long[] ofTemplate = known.get(masker.signature(), masker.length(), hash, this::know);
        long step = Math.floorDiv(micros - fromMicros, stepMicros);
        if (step >= 0 && step < ofTemplate.length) {
            ofTemplate[(int) step]++;
        }
        if (knownBytes > MAX_KNOWN_BYTES) {
            known.clear();
            knownBytes = 0;
        }
    }

    private long[] know(byte[] signature) {
        knownBytes += ENTRY_BYTES + signature.length;
        return templates
                .match(signature)
                .map(group -> ShownTemplate.of(group.template()))
                .flatMap(template -> Optional.ofNullable(counts.get(template)))
                .orElse(NOT_COUNTED);
    }

    @Override
    public void addWithoutText(boolean isBefore) {
        // It has no template
    }

    /** Adds lines that this does not have, of the same templates and steps. */
    public void add(PatternSeries other) {
        counts.forEach((template, mine) -> {
            long[] more = other.counts.get(template);
            for (int i = 0; i < mine.length; i++) {
                mine[i] += more[i];
            }
        });
    }

    /** The number of lines in each step, by template, in the order of the templates. */
    public Map<String, List<Long>> counts() {
        Map<String, List<Long>> shown = new LinkedHashMap<>();
        counts.forEach((template, ofSteps) -> {
            List<Long> steps = new ArrayList<>(ofSteps.length);
            for (long count : ofSteps) {
                steps.add(count);
            }
            shown.put(template, steps);
        });
        return shown;
    }
}
