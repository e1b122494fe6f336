package io.cordwood.balancer.plan;

import java.util.Arrays;

/** Divides what fits among tenants that want more: max-min fair, so that small tenants get all they want. */
final class FairShares {
    private FairShares() {}

    /**
     * What each tenant may send so that the sum fits.
     *
     * @param demands falling
     * @param bound the most that all of them may send
     */
    static double[] of(double[] demands, double bound) {
        double[] shares = demands.clone();
        double left = bound;
        // From the smallest: who wants less than an equal part of what is left gets all of it.
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
