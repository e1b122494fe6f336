package io.cordwood.catalog.pipeline;

/** Sensitive values that a pipeline knows by their form. */
public enum Sensitive {
    /** Numbers of the usual payment cards, alone or in groups, with a valid check digit. */
    CARD_NUMBER,
    /** Addresses of e-mail. */
    EMAIL,
    /** Addresses of IP, versions 4 and 6. */
    IP_ADDRESS,
    /** Passwords, tokens and keys: by the name before them, or by the form that well-known services give them. */
    SECRET
}
