package io.cordwood.standalone;

import io.cordwood.standalone.tail.LineOutput;

/** Commands that print rows until ^C. Stateless. */
final class UntilInterrupted {
    private UntilInterrupted() {}

    /** What such a command does. */
    @FunctionalInterface
    interface Following {
        void run() throws InterruptedException;
    }

    /** Runs it. ^C completes the current line and ends the process with code 0. */
    static void run(LineOutput out, Following following) throws InterruptedException {
        Thread onInterrupt = Thread.ofPlatform().unstarted(() -> {
            try {
                out.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(0);
        });
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            following.run();
        } finally {
            remove(onInterrupt);
        }
    }

    private static void remove(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the shutdown hook sets the exit code
            hook.join();
        }
    }
}
