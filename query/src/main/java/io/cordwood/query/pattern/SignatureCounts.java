package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lines by signature: what templates are mined from. It depends on the lines alone, not on their order, and neither on
 * how they were divided among several of these before they were added up. Not thread-safe.
 *
 * <p>Its memory is bounded. Beyond it there are only a sample of the lines, whatever the part that grew too large: then
 * the lines are counted in a second pass.
 */
public final class SignatureCounts implements LineCounter {
    /** The maximum memory of signatures, their counts and their first lines, in bytes. */
    static final long MAX_BYTES = 24 << 20;

    /** Lines that are mined if there are too many signatures. A template of each thousandth line is among them. */
    static final int SAMPLED_LINES = 8192;

    private static final int ENTRY_BYTES = 200;

    /** The lines of one signature. */
    private static final class Counted {
        /** Drain keeps the order in which lines come. Here frequent ones come first: most templates are theirs. */
        private static final Comparator<Counted> ORDER = Comparator.comparingLong(Counted::lines)
                .reversed()
                .thenComparing(Counted::signature, Arrays::compareUnsigned);

        private final byte[] signature;
        private final LineTotals totals = new LineTotals();
        private int longest;

        Counted(byte[] signature) {
            this.signature = signature;
        }

        byte[] signature() {
            return signature;
        }

        long lines() {
            return totals.count() + totals.before();
        }
    }

    private final long maxBytes;
    private final Masker masker = new Masker();
    private final SignatureTable<Counted> table = new SignatureTable<>();
    private final LineSample sample;
    private final LineTotals withoutText = new LineTotals();
    private long bytes;
    private boolean isComplete = true;

    public SignatureCounts() {
        this(MAX_BYTES, SAMPLED_LINES);
    }

    SignatureCounts(long maxBytes, int sampledLines) {
        this.maxBytes = maxBytes;
        this.sample = new LineSample(sampledLines);
    }

    @Override
    public void add(byte[] line, int from, int to, long micros, boolean isBefore) {
        masker.mask(line, from, to);
        byte[] signature = masker.signature();
        int length = masker.length();
        long hash = SignatureTable.hash(signature, length);
        long lineHash = SignatureTable.mix(hash ^ SignatureTable.mix(micros));
        if (!isComplete) {
            if (sample.admits(lineHash)) {
                sample.add(lineHash, Arrays.copyOf(signature, length));
            }
            return;
        }
        Counted counted = counted(signature, length, hash);
        counted.totals.add(line, from, to, micros, isBefore);
        if (sample.admits(lineHash)) {
            sample.add(lineHash, counted.signature);
        }
        grow(counted, Math.min(to - from, LineTotals.MAX_SAMPLE_BYTES));
    }

    private Counted counted(byte[] signature, int length, long hash) {
        return table.get(signature, length, hash, key -> {
            bytes += ENTRY_BYTES + key.length;
            return new Counted(key);
        });
    }

    /** Counts the memory of the longest line, not of the first one, since that grows with each line. */
    private void grow(Counted counted, int length) {
        if (length > counted.longest) {
            bytes += length - counted.longest;
            counted.longest = length;
        }
        if (bytes > maxBytes) {
            isComplete = false;
            table.clear();
        }
    }

    @Override
    public void addWithoutText(boolean isBefore) {
        withoutText.addWithoutText(isBefore);
    }

    /** Adds lines that this does not have. */
    public void add(SignatureCounts other) {
        withoutText.add(other.withoutText);
        sample.add(other.sample);
        if (!other.isComplete) {
            isComplete = false;
            table.clear();
        }
        for (Counted counted : other.table.values()) {
            if (!isComplete) {
                return;
            }
            Counted mine = counted(
                    counted.signature,
                    counted.signature.length,
                    SignatureTable.hash(counted.signature, counted.signature.length));
            mine.totals.add(counted.totals);
            grow(mine, counted.longest);
        }
    }

    /** Whether all lines are counted; if not, {@link #mine} has templates of a sample. */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Mines the templates, which may take seconds.
     *
     * @param check runs often meanwhile; what it throws ends the work
     */
    public Templates mine(Runnable check) {
        ParseTree tree = new ParseTree();
        List<Counted> lines = new ArrayList<>((isComplete ? table : sampled()).values());
        lines.sort(Counted.ORDER);
        Consumer<Consumer<TokenSequence>> all = consumer -> lines.forEach(line -> {
            check.run();
            consumer.accept(TokenSequence.of(line.signature));
        });
        all.accept(tree::add);
        return new Templates(GroupSplitter.split(GroupMerger.merge(tree.groups(), check), all));
    }

    private SignatureTable<Counted> sampled() {
        SignatureTable<Counted> sampled = new SignatureTable<>();
        for (byte[] signature : sample.signatures()) {
            sampled.get(signature, signature.length, SignatureTable.hash(signature, signature.length), Counted::new)
                    .totals
                    .addWithoutText(false);
        }
        return sampled;
    }

    /**
     * The lines by template, if all are counted.
     *
     * @param check runs often meanwhile; what it throws ends the work
     */
    public TemplateCounts count(Templates templates, Runnable check) {
        if (!isComplete) {
            throw new IllegalStateException("There are more signatures than fit: count the lines again");
        }
        TemplateCounts counts = new TemplateCounts(templates);
        counts.addWithoutText(withoutText);
        table.values().forEach(counted -> {
            check.run();
            counts.add(counted.signature, counted.totals);
        });
        return counts;
    }
}
