package io.cordwood.standalone.process;

/**
 * What the supervisor knows of one service at a moment. Immutable.
 *
 * @param name the service's name
 * @param state see {@link State}
 * @param pid the process's number, 0 if none runs
 * @param endpoint where it is reached
 * @param startedMillis when the running process was started, in milliseconds since 1970; 0 if none runs
 * @param readyMillis how long the last start took until the service was ready, in milliseconds; 0 if it never was
 * @param restarts how often it had to be started again since the supervisor started
 * @param lastExit how the last process ended, empty if none has
 */
public record ServiceStatus(
        String name,
        State state,
        long pid,
        String endpoint,
        long startedMillis,
        long readyMillis,
        int restarts,
        String lastExit) {

    /** The states a service goes through. */
    public enum State {
        /** Waits for the services that it depends on. */
        WAITING,
        /** Its process runs and does not answer yet. */
        STARTING,
        /** It answers. */
        READY,
        /** Its process ended; it is started again after a delay. */
        BACKING_OFF,
        /** It was asked to end. */
        STOPPING,
        /** It ended because it was asked to. */
        STOPPED
    }
}
