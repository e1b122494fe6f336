package io.cordwood.options;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** A number within a range. Immutable, thread-safe. */
public abstract class DecimalNumber extends Checked<Double> {
    private static final Pattern NUMBER = Pattern.compile("[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,3})?");

    private final double least;
    private final double most;

    protected DecimalNumber(double least, double most) {
        super("a number from %s to %s".formatted(text(least), text(most)));
        this.least = least;
        this.most = most;
    }

    private static String text(double limit) {
        return BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
    }

    @Override
    protected Optional<Double> read(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        double number = Double.parseDouble(text);
        return number >= least && number <= most ? Optional.of(number) : Optional.empty();
    }
}
