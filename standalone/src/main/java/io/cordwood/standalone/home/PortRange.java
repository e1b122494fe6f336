package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that a stack may choose from.
 *
 * @param lowest the first
 * @param highest the last
 */
record PortRange(int lowest, int highest) {
    /** The environment variable that sets another range. */
    static final String VARIABLE = "CORDWOOD_PORTS";

    /** Below Linux's range for outgoing connections, so that no connection takes a chosen port. */
    static final PortRange DEFAULT = new PortRange(20_000, 31_999);

    private static final Pattern FORM = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    /**
     * The range that {@code CORDWOOD_PORTS} names, as FROM-TO, or the default.
     *
     * @param text the variable's value, or null
     * @throws CordwoodException if the text is not a range
     */
    static PortRange of(String text) {
        if (text == null || text.isBlank()) {
            return DEFAULT;
        }
        Matcher form = FORM.matcher(text.strip());
        if (form.matches()) {
            int lowest = Integer.parseInt(form.group(1));
            int highest = Integer.parseInt(form.group(2));
            if (lowest > 0 && lowest <= highest && highest <= LAST_PORT) {
                return new PortRange(lowest, highest);
            }
        }
        throw new CordwoodException("%s is '%s': give two ports between 1 and %d, for instance 20000-20999"
                .formatted(VARIABLE, text, LAST_PORT));
    }

    /** How many ports there are. */
    int size() {
        return highest - lowest + 1;
    }
}
