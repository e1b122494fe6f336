package io.cordwood.ingest.cluster;

import io.cordwood.ingest.runtime.IngestException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a job whose checkpoint cannot be restored, so that it can be started without one. If that would lose rows, the
 * job stays, and an operator must act. Checks that get no response are repeated. Used by one thread.
 */
final class RestoreWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreWatch.class);

    private final Job job;
    private boolean alarmed;
    private boolean givenUp;

    RestoreWatch(Job job) {
        this.job = job;
    }

    /** The watched job. */
    interface Job {
        /** The job's failures so far. */
        RestoreFailures failures() throws ExecutionException, InterruptedException;

        /**
         * The loss if it were started without its checkpoint.
         *
         * @throws IngestException if Kafka or the catalog does not answer
         */
        Optional<String> lostWithoutCheckpoint();

        void cancel() throws ExecutionException, InterruptedException;
    }

    /** Checks once. Blocks, for some minutes at most. */
    void check() throws InterruptedException {
        try {
            if (!job.failures().isHopeless()) {
                alarmed = false;
            } else if (!alarmed) {
                giveUpUnlessRowsAreLost();
            }
        } catch (ExecutionException | IngestException e) {
            LOG.warn("Cannot check whether the checkpoint can be restored; checking again: {}", e.toString());
        }
    }

    private void giveUpUnlessRowsAreLost() throws ExecutionException, InterruptedException {
        Optional<String> lost = job.lostWithoutCheckpoint();
        if (lost.isPresent()) {
            alarmed = true;
            LOG.error(
                    "The checkpoint could not be restored {} times, as the failures above say, but is kept, because without it rows would be lost: {}; restore its files from a copy or repair their disk, or, to continue without the rows, start once with --accept-loss true",
                    RestoreFailures.MOST,
                    lost.get());
        } else {
            // Set first, because a request to cancel may take effect although its response is lost.
            givenUp = true;
            job.cancel();
        }
    }

    /** Whether the job was asked to end because of its checkpoint. */
    boolean givenUp() {
        return givenUp;
    }
}
