package io.cordwood.search.http;

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
     * @throws ApiException with status 429 if too many wait, or it waits too long
     */
    public Turn enter(String user, String tenant) throws InterruptedException {
        Admission.Running ofUser = users.enter(user);
        try {
            return new Turn(ofUser, tenants.enter(tenant));
        } catch (ApiException | InterruptedException e) {
            ofUser.close();
            throw e;
        }
    }
}
