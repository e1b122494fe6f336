package io.cordwood.standalone.ship;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Ships the lines of a stream of bytes as records of one tenant. Not thread-safe. */
public final class LineShipper {
    private final Shipper shipper;
    private final String tenant;
    private final LineEncoder encoder = new LineEncoder();

    public LineShipper(Shipper shipper, String tenant) {
        this.shipper = shipper;
        this.tenant = tenant;
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
                shipper.send(tenant, value);
                if (shipper.shipment().failed()) {
                    return;
                }
            }
        } catch (LineReader.LineTooLongException e) {
            throw new CordwoodException("%s, line %d: %s".formatted(name, number + 1, Errors.text(e)), e);
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s after line %d: %s".formatted(name, number, Errors.text(e)), e);
        }
    }
}
