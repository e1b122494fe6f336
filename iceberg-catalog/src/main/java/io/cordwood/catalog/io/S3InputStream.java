package io.cordwood.catalog.io;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Reads an object piece by piece, each a request; the longer it is read without a seek, the larger the pieces. Not
 * thread-safe.
 */
final class S3InputStream extends SeekableInputStream {
    private static final int FIRST_PIECE = 256 << 10;
    private static final int LARGEST_PIECE = 8 << 20;

    private final S3Object object;
    private byte[] piece = new byte[0];
    private long pieceOffset;
    private long position;
    private int nextPiece = FIRST_PIECE;
    private boolean closed;

    S3InputStream(S3Object object) {
        this.object = object;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void seek(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new EOFException("Cannot seek to %d in %s".formatted(newPosition, object.location()));
        }
        position = newPosition;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (closed) {
            throw new IOException("The stream of %s is closed".formatted(object.location()));
        }
        if (length == 0) {
            return 0;
        }
        if (!isInPiece()) {
            fetch(length);
        }
        if (!isInPiece()) {
            return -1;
        }
        int from = (int) (position - pieceOffset);
        int count = Math.min(length, piece.length - from);
        System.arraycopy(piece, from, target, offset, count);
        position += count;
        return count;
    }

    private boolean isInPiece() {
        return position >= pieceOffset && position < pieceOffset + piece.length;
    }

    private void fetch(int wanted) throws IOException {
        boolean sequential = position == pieceOffset + piece.length;
        nextPiece = sequential ? Math.min(LARGEST_PIECE, 2 * nextPiece) : FIRST_PIECE;
        piece = object.read(position, Math.clamp(wanted, nextPiece, LARGEST_PIECE));
        pieceOffset = position;
    }

    @Override
    public void close() {
        closed = true;
        piece = new byte[0];
    }
}
