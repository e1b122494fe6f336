package io.cordwood.balancer.plan;

import java.util.Arrays;

/** Max-min fair shares of the capacity for tenants whose demand exceeds it: small tenants get all that they demand. */
final class FairShares {
    private FairShares() {}

    /**
     * The rate that each tenant may send, so that the sum fits.
     *
     * @param demands in falling order
     * @param bound most that all of them together may send
     */
    static double[] of(double[] demands, double bound) {
        double[] shares = demands.clone();
        double left = bound;
        // Starts with the smallest: a demand below an equal part of the rest is met in full.
        for (int i = demands.length - 1; i >= 0; i--) {
            double equal = left / (i + 1);
            if (demands[i] > equal) {
                Arrays.fill(shares, 0, i + 1, equal);
                return shares;
            }
            left -= demands[i];
        }
        return shares;
    }
}
