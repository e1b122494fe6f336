package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lines by template. It depends on the lines alone, not on their order. Not thread-safe. */
public final class TemplateCounts implements LineCounter {
    /** Memory for signatures whose template is known, in bytes. */
    private static final long MAX_KNOWN_BYTES = 8 << 20;

    private static final int ENTRY_BYTES = 100;
    private static final Comparator<LogPattern> ORDER =
            Comparator.comparingLong(LogPattern::count).reversed().thenComparing(LogPattern::template);

    private final Templates templates;
    private final Masker masker = new Masker();
    private final SignatureTable<LineTotals> known = new SignatureTable<>();
    private final Map<LogGroup, LineTotals> groups = new HashMap<>();
    private final LineTotals unmatched = new LineTotals();
    private final LineTotals withoutText = new LineTotals();
    private long knownBytes;

    public TemplateCounts(Templates templates) {
        this.templates = templates;
    }

    @Override
    public void add(byte[] line, int from, int to, long micros, boolean isBefore) {
        masker.mask(line, from, to);
        long hash = SignatureTable.hash(masker.signature(), masker.length());
        known.get(masker.signature(), masker.length(), hash, this::know).add(line, from, to, micros, isBefore);
        if (knownBytes > MAX_KNOWN_BYTES) {
            known.clear();
            knownBytes = 0;
        }
    }

    private LineTotals know(byte[] signature) {
        knownBytes += ENTRY_BYTES + signature.length;
        return totals(signature);
    }

    private LineTotals totals(byte[] signature) {
        Optional<LogGroup> group = templates.match(signature);
        return group.isPresent() ? groups.computeIfAbsent(group.get(), any -> new LineTotals()) : unmatched;
    }

    @Override
    public void addWithoutText(boolean isBefore) {
        withoutText.addWithoutText(isBefore);
    }

    void addWithoutText(LineTotals totals) {
        withoutText.add(totals);
    }

    /** Adds lines with one signature. */
    void add(byte[] signature, LineTotals totals) {
        totals(signature).add(totals);
    }

    /** Adds lines that this does not have, by the same templates. */
    public void add(TemplateCounts other) {
        unmatched.add(other.unmatched);
        withoutText.add(other.withoutText);
        other.groups.forEach((group, totals) ->
                groups.computeIfAbsent(group, any -> new LineTotals()).add(totals));
    }

    /**
     * The patterns with the most lines, most frequent first.
     *
     * @param limit maximum number of patterns; lines of others are counted together
     */
    public LogPatterns patterns(int limit) {
        Map<String, LineTotals> byText = new HashMap<>();
        groups.forEach(
                (group, totals) -> byText.computeIfAbsent(ShownTemplate.of(group.template()), any -> new LineTotals())
                        .add(totals));
        List<LogPattern> patterns = new ArrayList<>();
        LineTotals others = new LineTotals();
        others.add(unmatched);
        byText.forEach((template, totals) -> {
            if (totals.count() > 0) {
                patterns.add(new LogPattern(
                        template,
                        totals.count(),
                        totals.before(),
                        totals.firstMicros(),
                        totals.lastMicros(),
                        totals.sample()));
            } else {
                others.add(totals);
            }
        });
        patterns.sort(ORDER);
        List<LogPattern> first = patterns.subList(0, Math.min(limit, patterns.size()));
        List<LogPattern> rest = patterns.subList(first.size(), patterns.size());
        LineTotals all = all();
        return new LogPatterns(
                first,
                new LogPatterns.Others(
                        rest.size(),
                        others.count()
                                + rest.stream().mapToLong(LogPattern::count).sum(),
                        others.before()
                                + rest.stream().mapToLong(LogPattern::before).sum()),
                new LogPatterns.Others(0, withoutText.count(), withoutText.before()),
                all.count(),
                all.before(),
                unmatched.count() + unmatched.before() > 0);
    }

    private LineTotals all() {
        LineTotals all = new LineTotals();
        all.add(unmatched);
        all.add(withoutText);
        groups.values().forEach(all::add);
        return all;
    }
}
