package io.cordwood.systemtests.fault;

/**
 * Something that goes wrong.
 *
 * @param name what goes wrong, in words
 */
public record Fault(String name, Injection injection) {

    /** Makes it go wrong, and ends when what was taken away is there again; recovery may take longer. */
    @FunctionalInterface
    public interface Injection {
        void inject() throws Exception;
    }
}
