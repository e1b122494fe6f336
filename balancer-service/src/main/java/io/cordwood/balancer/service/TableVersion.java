package io.cordwood.balancer.service;

/**
 * A line of the history of tables. Immutable.
 *
 * @param atMillis when it was written
 * @param reason why
 * @param tenantsChanged tenants with other routes than before
 * @param routes how many routes all tenants have
 * @param lambda smallest utilisation at which the demand fits
 * @param utilisationBefore highest utilisation by the table before
 * @param utilisationAfter by this one
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
