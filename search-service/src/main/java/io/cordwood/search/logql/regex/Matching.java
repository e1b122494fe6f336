package io.cordwood.search.logql.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.catalog.regex.CountedText;
import java.util.function.Supplier;

/**
 * Bounds the time of matches. A match takes time in proportion to the size of its expression and the length of its
 * text: minutes for a line of a megabyte. So it calls a check meanwhile, which ends it. Stateless.
 */
public final class Matching {
    private static final ScopedValue<Runnable> CHECK = ScopedValue.newInstance();
    /** A match of a shorter text takes a few milliseconds with the largest expression. */
    private static final int LONG_TEXT = 256;

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
                text.length() > LONG_TEXT && CHECK.isBound() ? new CountedText(text, CHECK.get()) : text);
    }
}
