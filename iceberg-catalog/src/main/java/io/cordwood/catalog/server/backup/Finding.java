package io.cordwood.catalog.server.backup;

/**
 * What a restoration found out about a table, a tenant or a partition. Immutable.
 *
 * @param subject what it is about
 * @param text what was found, and what was done
 * @param isProblem whether someone must look at it
 */
record Finding(String subject, String text, boolean isProblem) {
    static Finding done(String subject, String text) {
        return new Finding(subject, text, false);
    }

    static Finding problem(String subject, String text) {
        return new Finding(subject, text, true);
    }

    @Override
    public String toString() {
        return "%s%s: %s".formatted(isProblem ? "! " : "  ", subject, text);
    }
}
