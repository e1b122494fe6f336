package io.cordwood.ingest.cluster;

import io.cordwood.ingest.runtime.IngestException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a job whose checkpoint cannot be restored, so that it can be started without, unless rows would be lost by that:
 * then it stays, and an operator must act. Whatever cannot be asked is asked again at the next look. Used by one
 * thread.
 */
final class RestoreWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreWatch.class);

    private final Job job;
    private boolean alarmed;
    private boolean givenUp;

    RestoreWatch(Job job) {
        this.job = job;
    }

    /** The job that is watched. */
    interface Job {
        /** What failed it so far. */
        RestoreFailures failures() throws ExecutionException, InterruptedException;

        /**
         * What would be lost if it were started without its checkpoint.
         *
         * @throws IngestException if Kafka or the catalog cannot be asked
         */
        Optional<String> lostWithoutCheckpoint();

        void cancel() throws ExecutionException, InterruptedException;
    }

    /** Looks once. Blocks, for some minutes at most. */
    void look() throws InterruptedException {
        try {
            if (!job.failures().isHopeless()) {
                alarmed = false;
            } else if (!alarmed) {
                giveUpUnlessRowsAreLost();
            }
        } catch (ExecutionException | IngestException e) {
            LOG.warn("Cannot look whether the checkpoint can be restored; looking again: {}", e.toString());
        }
    }

    private void giveUpUnlessRowsAreLost() throws ExecutionException, InterruptedException {
        Optional<String> lost = job.lostWithoutCheckpoint();
        if (lost.isPresent()) {
            alarmed = true;
            LOG.error(
                    "The checkpoint could not be restored {} times, as the failures above say, but is kept, as without it rows would be lost: {}; put its files back from a copy or mend the disk that holds them, or, to go on without the rows, start once with --accept-loss true",
                    RestoreFailures.MOST,
                    lost.get());
        } else {
            // First, as a request to cancel may be heeded though its answer is lost.
            givenUp = true;
            job.cancel();
        }
    }

    /** Whether the job was told to end because of its checkpoint. */
    boolean givenUp() {
        return givenUp;
    }
}
