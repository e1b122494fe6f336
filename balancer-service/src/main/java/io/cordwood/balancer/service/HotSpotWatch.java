package io.cordwood.balancer.service;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Detects hot partitions and workers without flapping: one becomes hot after some consecutive rounds above its limit,
 * and stays hot until it has been well below it for as many. Not thread-safe.
 */
final class HotSpotWatch {
    private static final double COOL = 0.9;

    private final int rounds;
    private final Map<String, Integer> streaks = new HashMap<>();
    private final Set<String> hot = new HashSet<>();

    /** @param rounds number of consecutive rounds, at least 1 */
    HotSpotWatch(int rounds) {
        this.rounds = rounds;
    }

    /**
     * Records a round.
     *
     * @param utilisations load over limit, by name; a missing name no longer exists
     * @return names that are hot now
     */
    Set<String> observe(Map<String, Double> utilisations) {
        hot.retainAll(utilisations.keySet());
        streaks.keySet().retainAll(utilisations.keySet());
        utilisations.forEach((name, utilisation) -> {
            boolean changing = hot.contains(name) ? utilisation < COOL : utilisation > 1;
            int streak = changing ? streaks.merge(name, 1, Integer::sum) : 0;
            if (streak < rounds) {
                streaks.put(name, streak);
            } else {
                streaks.put(name, 0);
                if (!hot.remove(name)) {
                    hot.add(name);
                }
            }
        });
        return Set.copyOf(hot);
    }
}
