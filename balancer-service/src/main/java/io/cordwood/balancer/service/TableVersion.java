package io.cordwood.balancer.service;

/**
 * A line of the history of tables. Immutable.
 *
 * @param atMillis when the table was written
 * @param reason why it was written
 * @param tenantsChanged number of tenants with other routes than before
 * @param routes number of routes of all tenants
 * @param lambda smallest utilisation at which the demand fits
 * @param utilisationBefore highest utilisation with the previous table
 * @param utilisationAfter highest utilisation with this table
 */
public record TableVersion(
        String epoch,
        long version,
        long atMillis,
        String reason,
        int tenantsChanged,
        int routes,
        double lambda,
        double utilisationBefore,
        double utilisationAfter) {}
