package io.cordwood.standalone;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The values that one option of the balancer may take. The balancer checks them too, but only after the stack has begun
 * to start. Immutable.
 *
 * @param words describes the values
 * @param condition accepts a value as the user typed it
 */
record BalancerValue(String words, Predicate<String> condition) {
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,3})?");

    static BalancerValue whole(double least, double most) {
        return between("a whole number", WHOLE, least, most);
    }

    static BalancerValue number(double least, double most) {
        return between("a number", NUMBER, least, most);
    }

    static BalancerValue flag() {
        return new BalancerValue("true or false", value -> value.equals("true") || value.equals("false"));
    }

    private static BalancerValue between(String kind, Pattern pattern, double least, double most) {
        return new BalancerValue(
                "%s from %s to %s".formatted(kind, text(least), text(most)),
                value -> pattern.matcher(value).matches()
                        && Double.parseDouble(value) >= least
                        && Double.parseDouble(value) <= most);
    }

    private static String text(double limit) {
        return limit == Math.rint(limit) ? Long.toString((long) limit) : Double.toString(limit);
    }

    boolean holds(String value) {
        return condition.test(value);
    }

    @Override
    public String toString() {
        return words;
    }
}
