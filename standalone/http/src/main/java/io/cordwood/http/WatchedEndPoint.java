package io.cordwood.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection that tells whether its client has closed it, also while a request is answered and Jetty reads nothing.
 * Thread-safe.
 *
 * <p>The end of a connection comes after all bytes of it. So it reads ahead what has come, a bounded number of bytes,
 * and gives that to Jetty when it reads again. Below TLS, those are the bytes of TLS.
 */
final class WatchedEndPoint extends SocketChannelEndPoint {
    private static final int MAX_AHEAD = 4 << 10;

    private final Executor executor;
    /** Bytes that were read ahead. */
    private ByteBuffer ahead = BufferUtil.EMPTY_BUFFER;

    private boolean isClosed;

    WatchedEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, Executor executor) {
        super(channel, selector, key, scheduler);
        this.executor = executor;
    }

    /** Whether the client has closed the connection, or will send nothing more on it. It does not block. */
    synchronized boolean isClosedByClient() {
        if (!isClosed) {
            isClosed = !isOpen() || isInputShutdown() || readAhead() < 0;
        }
        return isClosed;
    }

    private int readAhead() {
        try {
            ByteBuffer more = ByteBuffer.allocate(MAX_AHEAD - ahead.remaining());
            int read;
            do {
                read = getChannel().read(more);
            } while (read > 0);
            keep(more.flip());
            return read;
        } catch (IOException e) {
            return -1;
        }
    }

    private void keep(ByteBuffer more) {
        if (!more.hasRemaining()) {
            return;
        }
        ahead = ByteBuffer.allocate(ahead.remaining() + more.remaining())
                .put(ahead)
                .put(more)
                .flip();
        if (getFillInterest().isInterested()) {
            wakeUp();
        }
    }

    /** The selector knows nothing of bytes that are no longer in the socket. */
    private void wakeUp() {
        executor.execute(getFillInterest()::fillable);
    }

    @Override
    public synchronized int fill(ByteBuffer buffer) throws IOException {
        return ahead.hasRemaining() ? BufferUtil.append(buffer, ahead) : super.fill(buffer);
    }

    @Override
    protected synchronized void needsFillInterest() {
        super.needsFillInterest();
        if (ahead.hasRemaining()) {
            wakeUp();
        }
    }
}
