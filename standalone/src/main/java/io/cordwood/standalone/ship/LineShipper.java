package io.cordwood.standalone.ship;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Ships the lines of a stream of bytes as rows of one tenant: each as a record, or several together as a batch. A batch
 * has lines that were read at once, so that no line waits for later ones. Not thread-safe.
 */
public final class LineShipper {
    private static final int BATCH_BYTES = 256 << 10;
    private static final int BATCH_LINES = 1000;

    private final Shipper shipper;
    private final String tenant;
    private final boolean inBatches;
    private final LineEncoder encoder = new LineEncoder();
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private int batchLines;

    /** @param inBatches whether lines go together */
    public LineShipper(Shipper shipper, String tenant, boolean inBatches) {
        this.shipper = shipper;
        this.tenant = tenant;
        this.inBatches = inBatches;
    }

    /**
     * Sends every line, or all lines up to the first failure.
     *
     * @param name name of the source, for messages
     * @throws CordwoodException if the input cannot be read or a line is too long
     */
    public void ship(String name, InputStream input) {
        LineReader lines = new LineReader(input);
        long number = 0;
        try {
            for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
                number++;
                byte[] value = encoder.value(line.get());
                if (value.length > LineReader.LONGEST_LINE_BYTES) {
                    throw new CordwoodException("%s, line %d: %,d bytes are more than the 16 MB a record can hold"
                            .formatted(name, number, value.length));
                }
                send(value);
                if (!lines.hasNextAtHand()) {
                    endBatch();
                }
                if (shipper.shipment().failed()) {
                    return;
                }
            }
        } catch (LineReader.LineTooLongException e) {
            throw new CordwoodException("%s, line %d: %s".formatted(name, number + 1, Errors.text(e)), e);
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s after line %d: %s".formatted(name, number, Errors.text(e)), e);
        } finally {
            endBatch();
        }
    }

    private void send(byte[] value) {
        if (!inBatches) {
            shipper.send(tenant, value);
            return;
        }
        if (batch.size() + value.length > BATCH_BYTES || batchLines == BATCH_LINES) {
            endBatch();
        }
        if (value.length > BATCH_BYTES) {
            shipper.send(tenant, value);
            return;
        }
        batch.writeBytes(value);
        batch.write('\n');
        batchLines++;
    }

    private void endBatch() {
        if (batchLines > 0) {
            shipper.sendLines(tenant, batch.toByteArray(), batchLines);
            batch.reset();
            batchLines = 0;
        }
    }
}
