package io.cordwood.catalog.io;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * An object of an S3 store, to read. Thread-safe; its streams are not.
 *
 * <p>Iceberg's own stream fails where an answer's body breaks off, and asks for each object's length first; this one
 * asks again, and takes the length from the first answer.
 */
final class S3InputFile implements InputFile {
    private static final long UNKNOWN = -1;

    private final S3Object object;
    private volatile long length;

    S3InputFile(S3Object object) {
        this(object, UNKNOWN);
    }

    /** @param length the object's length in bytes, where it is known */
    S3InputFile(S3Object object, long length) {
        this.object = object;
        this.length = length;
    }

    /** Asks the store at first use. */
    @Override
    public long getLength() {
        if (length == UNKNOWN) {
            length = object.length();
        }
        return length;
    }

    @Override
    public SeekableInputStream newStream() {
        return new S3InputStream(object);
    }

    @Override
    public String location() {
        return object.location();
    }

    @Override
    public boolean exists() {
        return object.exists();
    }
}
