package io.cordwood.benchmarks.faults;

/**
 * Something that goes wrong.
 *
 * @param name what goes wrong, in words
 */
record Fault(String name, Injection injection) {

    /** Makes it go wrong, and ends when what was taken away is there again; recovery may take longer. */
    @FunctionalInterface
    interface Injection {
        void inject() throws Exception;
    }
}
