package io.cordwood.catalog.commit;

/**
 * A table cannot be committed to now. The job quarantines the table: it keeps the rows, holds archived-through back,
 * raises an alarm and continues with other tables.
 */
public class TableCommitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String tenantId;
    private final String stream;

    public TableCommitException(String tenantId, String stream, String problem, Throwable cause) {
        super("Cannot commit to stream '%s' of tenant '%s': %s".formatted(stream, tenantId, problem), cause);
        this.tenantId = tenantId;
        this.stream = stream;
    }

    /** The tenant of the table. */
    public String tenantId() {
        return tenantId;
    }

    /** The stream of the table. */
    public String stream() {
        return stream;
    }
}
