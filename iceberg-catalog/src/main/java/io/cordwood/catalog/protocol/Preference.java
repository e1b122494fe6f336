package io.cordwood.catalog.protocol;

/**
 * A preference of RFC 7240: a client that does not need the table after its commit gets a response without a body. Not
 * instantiable.
 */
public final class Preference {
    public static final String HEADER = "Prefer";
    /** Names the preference that the service followed. */
    public static final String APPLIED_HEADER = "Preference-Applied";

    public static final String MINIMAL = "return=minimal";

    private Preference() {}
}
