package io.cordwood.search.logql.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.function.Supplier;

/**
 * Bounds the time of matches. A match takes time in proportion to the size of its expression and the length of its
 * text: minutes for a line of a megabyte. So it calls a check meanwhile, which ends it. Stateless.
 */
public final class Matching {
    private static final ScopedValue<Runnable> CHECK = ScopedValue.newInstance();
    /** A match of a shorter text takes a few milliseconds with the largest expression. */
    private static final int LONG_TEXT = 256;
    /** Characters between two checks, which take about a millisecond with the largest expression. */
    private static final int INTERVAL = 64;

    private Matching() {}

    /**
     * Does some work in this thread.
     *
     * @param check called now and then by matches of the work; what it throws ends the work
     */
    public static void run(Runnable check, Runnable work) {
        ScopedValue.where(CHECK, check).run(work);
    }

    /** The same for work with a result. */
    public static <T> T call(Runnable check, Supplier<T> work) {
        return ScopedValue.where(CHECK, check).call(work::get);
    }

    /** Calls the check of the work under way, if there is any. */
    public static void check() {
        if (CHECK.isBound()) {
            CHECK.get().run();
        }
    }

    /** A matcher of a text, which calls the check of the work under way. */
    public static Matcher matcher(Pattern pattern, String text) {
        return pattern.matcher(
                text.length() > LONG_TEXT && CHECK.isBound() ? new CheckedText(text, CHECK.get()) : text);
    }

    /** A text whose reader is checked. Not thread-safe. */
    private static final class CheckedText implements CharSequence {
        private final String text;
        private final Runnable check;
        private int reads;

        CheckedText(String text, Runnable check) {
            this.text = text;
            this.check = check;
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
}
