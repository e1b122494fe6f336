package io.cordwood.gateway.door;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.http.Reply;
import java.io.IOException;

/** Takes requests of one protocol, and answers as it says. Thread-safe. */
public interface Door {
    /** Its name in metrics. */
    String name();

    /** Whether it takes requests with this path, undecoded. */
    boolean isAt(String path);

    /**
     * Answers a request. A success names only rows that Kafka has acknowledged.
     *
     * @throws RefusedException if it takes none of the request's rows
     * @throws IOException if the client has gone
     */
    Reply answer(Visit visit) throws IOException, InterruptedException;

    /** The answer to a request of which no row was taken. */
    Reply refuse(RefusedException refusal, Visit visit);
}
