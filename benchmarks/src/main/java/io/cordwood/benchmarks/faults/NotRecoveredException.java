package io.cordwood.benchmarks.faults;

/** The stack did not come back from a fault in good time. */
final class NotRecoveredException extends Exception {
    private static final long serialVersionUID = 1;

    NotRecoveredException(String what) {
        super(what);
    }
}
