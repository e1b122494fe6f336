package io.cordwood.systemtests.lab;

/** The stack did not recover from a fault in time. */
public final class NotRecoveredException extends Exception {
    private static final long serialVersionUID = 1;

    public NotRecoveredException(String what) {
        super(what);
    }
}
