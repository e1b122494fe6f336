package io.cordwood.standalone.tail;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Messages to the user about problems: each problem once, until it is over. Thread-safe. */
public final class Notes {
    /** A part that may have a problem. */
    enum Trouble {
        KAFKA("Kafka answers again"),
        CATALOG("the catalog answers again"),
        STREAM("the stream is there again");

        private final String over;

        Trouble(String over) {
            this.over = over;
        }
    }

    private final Consumer<String> lines;
    private final Set<Trouble> present = EnumSet.noneOf(Trouble.class);

    /** @param lines receives lines for the user */
    public Notes(Consumer<String> lines) {
        this.lines = lines;
    }

    synchronized void say(String line) {
        lines.accept(line);
    }

    synchronized void trouble(Trouble trouble, String what) {
        if (present.add(trouble)) {
            lines.accept(what);
        }
    }

    synchronized void over(Trouble trouble) {
        if (present.remove(trouble)) {
            lines.accept(trouble.over);
        }
    }
}
