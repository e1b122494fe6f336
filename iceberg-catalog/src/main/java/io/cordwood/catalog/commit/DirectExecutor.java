package io.cordwood.catalog.commit;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs each task at once, on the thread that brings it. Stateless, thread-safe.
 *
 * <p>For the few manifests of an append: whoever gives Iceberg tasks to other threads looks for their end every 10 ms,
 * several times in a commit, which takes longer than all the rest of it.
 */
final class DirectExecutor extends AbstractExecutorService {
    static final DirectExecutor INSTANCE = new DirectExecutor();

    private DirectExecutor() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    /** Nothing is ever left to wait for. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException("Everybody's thread cannot be shut down");
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new UnsupportedOperationException("Everybody's thread cannot be shut down");
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }
}
