package io.cordwood.gateway.refusal;

/** A row that no record of Kafka can hold. The other rows of its request can be taken. */
public final class RowTooLargeException extends RefusedException {
    private static final long serialVersionUID = 1;

    public RowTooLargeException(long bytes, long maxBytes) {
        super(Reason.TOO_LARGE, "The row has %,d bytes; at most %,d are allowed".formatted(bytes, maxBytes));
    }
}
