package io.cordwood.http;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** The connection by which a request came. Thread-safe. */
public final class ClientConnection {
    private final EndPoint endPoint;

    private ClientConnection(EndPoint endPoint) {
        this.endPoint = endPoint;
    }

    /** The connection of a request. */
    public static ClientConnection of(Request request) {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return new ClientConnection(endPoint);
    }

    /**
     * Whether the client has closed it, also while nothing is read or written. A client that only ends its own side
     * counts as one that has. It does not block, and costs a call of the operating system.
     */
    public boolean isClosedByClient() {
        return endPoint instanceof WatchedEndPoint watched ? watched.isClosedByClient() : !endPoint.isOpen();
    }
}
