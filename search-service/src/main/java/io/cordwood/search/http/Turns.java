package io.cordwood.search.http;

import io.cordwood.query.search.GivenUpException;

/**
 * Bounds the questions that run at once, of each user and about each tenant. A user waits for its own turn first, and
 * so keeps no place of a tenant meanwhile. Thread-safe.
 */
public final class Turns {
    private final Admission users;
    private final Admission tenants;

    public Turns(Admission users, Admission tenants) {
        this.users = users;
        this.tenants = tenants;
    }

    /** A question that runs, until it is closed. */
    public static final class Turn implements AutoCloseable {
        private final Admission.Running ofUser;
        private final Admission.Running ofTenant;

        private Turn(Admission.Running ofUser, Admission.Running ofTenant) {
            this.ofUser = ofUser;
            this.ofTenant = ofTenant;
        }

        @Override
        public void close() {
            ofTenant.close();
            ofUser.close();
        }
    }

    /**
     * Waits until a question of the user about the tenant may run.
     *
     * @param bytes memory that it may need
     * @param client who asks
     * @throws ApiException with status 429 if too many wait, or it waits too long
     * @throws GivenUpException if the client leaves meanwhile
     */
    public Turn enter(String user, String tenant, long bytes, Client client) throws InterruptedException {
        Admission.Running ofUser = users.enter(user, 0, client);
        try {
            return new Turn(ofUser, tenants.enter(tenant, bytes, client));
        } catch (Throwable e) {
            ofUser.close();
            throw e;
        }
    }

    /** The number of questions that run. */
    public int running() {
        return tenants.running();
    }

    /** The memory that they may need together, in bytes. */
    public long bytes() {
        return tenants.bytes();
    }

    /** The number of questions that wait. */
    public int waiting() {
        return users.waiting() + tenants.waiting();
    }
}
