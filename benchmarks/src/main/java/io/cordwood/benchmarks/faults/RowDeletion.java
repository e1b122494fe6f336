package io.cordwood.benchmarks.faults;

/**
 * A {@code DELETE} of some of a tenant's numbered rows. Immutable.
 *
 * @param divisor every so many of the producer's numbers is meant
 * @param below only numbers below this: all of them were sent before
 */
record RowDeletion(int tenant, int producer, int divisor, int remainder, int below) {
    boolean isOf(NumberedRow row) {
        return isOf(row.tenant(), row.producer(), row.number());
    }

    boolean isOf(int ofTenant, int ofProducer, int number) {
        return tenant == ofTenant && producer == ofProducer && number < below && number % divisor == remainder;
    }

    String sql() {
        return "DELETE FROM cordwood.%s.%s WHERE producer = %d AND n < %d AND n %% %d = %d"
                .formatted(NumberedRow.tenantId(tenant), Lab.STREAM, producer, below, divisor, remainder);
    }
}
