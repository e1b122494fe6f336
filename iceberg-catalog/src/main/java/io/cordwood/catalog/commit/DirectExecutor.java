package io.cordwood.catalog.commit;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An executor that runs each task at once on the caller's thread. Stateless, thread-safe.
 *
 * <p>It suits the few manifests of an append: with other threads, Iceberg polls for the end of tasks every 10 ms,
 * several times in a commit, which takes longer than all the rest of it.
 */
final class DirectExecutor extends AbstractExecutorService {
    static final DirectExecutor INSTANCE = new DirectExecutor();

    private DirectExecutor() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    /** No task is ever pending. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException("The shared direct executor cannot be shut down");
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new UnsupportedOperationException("The shared direct executor cannot be shut down");
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
