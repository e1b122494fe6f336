package io.cordwood.search.alert;

import java.time.Duration;

/** Whether this service is the one that evaluates alerts. Thread-safe. */
interface Leadership {
    /** The time for which it still is; zero if it is not. */
    Duration remaining();

    /** Its number, greater than those of former leaders; 0 if it does not lead. */
    long fence();

    /** Gives it up, as a service of this number was admitted, to become leader again with a greater one at best. */
    void giveUp(long greatest);
}
