package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A sample of lines, each with the same probability: those with the least hashes of signature and time ("bottom-k").
 * So it depends on the lines alone, not on their order, and samples of parts give the sample of the whole. Not
 * thread-safe.
 */
final class LineSample {
    private static final Comparator<Line> ORDER = Comparator.comparingLong(Line::hash);

    private final int size;
    private List<Line> lines = new ArrayList<>();
    /** Lines with a greater hash are not among the sample. */
    private long maxHash = Long.MAX_VALUE;

    private record Line(long hash, byte[] signature) {}

    LineSample(int size) {
        this.size = size;
    }

    /** Whether a line may belong to the sample. */
    boolean admits(long hash) {
        return hash <= maxHash;
    }

    void add(long hash, byte[] signature) {
        lines.add(new Line(hash, signature));
        if (lines.size() >= 2 * size) {
            cut();
        }
    }

    void add(LineSample other) {
        for (Line line : other.lines) {
            if (admits(line.hash())) {
                add(line.hash(), line.signature());
            }
        }
    }

    /** Keeps the least hashes, each once: lines with the same signature and time count as one. */
    private void cut() {
        lines.sort(ORDER);
        List<Line> kept = new ArrayList<>(size);
        for (Line line : lines) {
            if (kept.size() < size && (kept.isEmpty() || kept.getLast().hash() != line.hash())) {
                kept.add(line);
            }
        }
        lines = kept;
        maxHash = kept.size() == size ? kept.getLast().hash() : maxHash;
    }

    /** The signatures of the sample's lines. */
    List<byte[]> signatures() {
        cut();
        return lines.stream().map(Line::signature).toList();
    }
}
