package io.cordwood.systemtests.ledger;

/**
 * A {@code DELETE} of some of a tenant's numbered rows, among all that exist when it begins. Immutable.
 *
 * @param divisor deletes every n-th of the producer's numbers
 * @param below row numbers below this were settled before it began: these rows must be deleted
 * @param mayBelow row numbers below this may have been acknowledged when it began: rows from here on must stay
 */
public record RowDeletion(int tenant, int producer, int divisor, int remainder, int below, int mayBelow) {
    /** The same statement, begun again later. */
    public RowDeletion again(int laterMayBelow) {
        return new RowDeletion(tenant, producer, divisor, remainder, below, laterMayBelow);
    }

    /** Whether the row must be deleted. */
    public boolean isOf(NumberedRow row) {
        return isOf(row.tenant(), row.producer(), row.number());
    }

    boolean isOf(int ofTenant, int ofProducer, int number) {
        return number < below && matches(ofTenant, ofProducer, number);
    }

    /** Whether the row may be deleted. */
    boolean mayBeOf(NumberedRow row) {
        return mayBeOf(row.tenant(), row.producer(), row.number());
    }

    boolean mayBeOf(int ofTenant, int ofProducer, int number) {
        return number < mayBelow && matches(ofTenant, ofProducer, number);
    }

    private boolean matches(int ofTenant, int ofProducer, int number) {
        return tenant == ofTenant && producer == ofProducer && number % divisor == remainder;
    }

    public String sql(String stream) {
        return "DELETE FROM cordwood.%s.%s WHERE producer = %d AND n %% %d = %d"
                .formatted(NumberedRow.tenantId(tenant), stream, producer, divisor, remainder);
    }
}
