package io.cordwood.systemtests.fault;

/**
 * A fault to inject.
 *
 * @param name describes the fault
 */
public record Fault(String name, Injection injection) {

    /** Injects the fault, and returns when its cause is removed; recovery may take longer. */
    @FunctionalInterface
    public interface Injection {
        void inject() throws Exception;
    }
}
