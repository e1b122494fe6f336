package io.cordwood.standalone.process;

/**
 * The status of one service at one time. Immutable.
 *
 * @param name the service's name
 * @param state see {@link State}
 * @param pid the process's number, 0 if none runs
 * @param endpoint its address
 * @param startedMillis when the running process was started, in milliseconds since 1970; 0 if none runs
 * @param readyMillis time from the last start until the service was ready, in milliseconds; 0 if it never was
 * @param restarts number of restarts since the supervisor started
 * @param lastExit how the last process ended; empty if none has ended
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
        /** Its process ended; the supervisor starts it again after a delay. */
        BACKING_OFF,
        /** The supervisor asked it to end. */
        STOPPING,
        /** It ended on request. */
        STOPPED
    }
}
