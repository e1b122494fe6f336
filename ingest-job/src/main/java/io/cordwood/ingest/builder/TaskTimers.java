package io.cordwood.ingest.builder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/** Recurring timers of a task, which run on the task thread. Used by the task thread only. */
final class TaskTimers implements AutoCloseable {
    private final ProcessingTimeService timers;
    private final List<Timer> running = new ArrayList<>();

    TaskTimers(ProcessingTimeService timers) {
        this.timers = timers;
    }

    /** A recurring action. */
    @FunctionalInterface
    interface Action {
        /** Runs the action; returns the delay until the next run, in milliseconds. */
        long run() throws Exception;
    }

    /** Runs an action after a delay, and again after each delay that it returns. */
    void repeat(long firstMillis, Action action) {
        Timer timer = new Timer(action);
        running.add(timer);
        timer.schedule(firstMillis);
    }

    @Override
    public void close() {
        running.forEach(timer -> timer.next.cancel(false));
    }

    private final class Timer {
        private final Action action;
        private ScheduledFuture<?> next;

        Timer(Action action) {
            this.action = action;
        }

        /** Flink waits for the difference to the current time in ticks, so setting the clock later moves no timer. */
        void schedule(long inMillis) {
            next = timers.registerTimer(timers.getCurrentProcessingTime() + inMillis, time -> schedule(action.run()));
        }
    }
}
