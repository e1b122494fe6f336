package io.cordwood.logblock.match;

/** A condition on one value, given as UTF-8 bytes. */
@FunctionalInterface
public interface ValueMatcher {
    /** Whether the value {@code utf8[from .. to)} matches. */
    boolean matches(byte[] utf8, int from, int to);
}
