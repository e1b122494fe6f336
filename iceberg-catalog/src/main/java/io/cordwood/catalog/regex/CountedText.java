package io.cordwood.catalog.regex;

import static java.util.Objects.requireNonNull;

/** A text that counts how often its characters are read, which is what matches take time for. Not thread-safe. */
public final class CountedText implements CharSequence {
    /** Characters between two checks, which take about a millisecond with the largest expression. */
    private static final int INTERVAL = 64;

    private final String text;
    private final Runnable check;
    private long reads;

    public CountedText(String text) {
        this(text, () -> {});
    }

    /** @param check called now and then while the text is read; what it throws ends that */
    public CountedText(String text, Runnable check) {
        this.text = requireNonNull(text, "text is null");
        this.check = requireNonNull(check, "check is null");
    }

    /** How many characters were read. */
    public long reads() {
        return reads;
    }

    @Override
    public char charAt(int index) {
        reads++;
        if (reads % INTERVAL == 0) {
            check.run();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
