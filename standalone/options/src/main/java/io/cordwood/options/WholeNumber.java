package io.cordwood.options;

import java.util.Optional;

/** A whole number within a range. Immutable, thread-safe. */
public abstract class WholeNumber extends Checked<Integer> {
    private final int least;
    private final int most;

    protected WholeNumber(int least, int most) {
        super(
                most == Integer.MAX_VALUE
                        ? "a whole number from %d".formatted(least)
                        : "a whole number from %d to %d".formatted(least, most));
        this.least = least;
        this.most = most;
    }

    @Override
    protected Optional<Integer> read(String text) {
        try {
            int number = Integer.parseInt(text);
            return number >= least && number <= most ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
