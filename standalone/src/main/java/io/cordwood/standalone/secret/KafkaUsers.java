package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/** Users in Kafka: their SCRAM passwords and what they may do. Repeating a call changes nothing. Thread-safe. */
public final class KafkaUsers {
    /** Bytes per second that a login may send to one broker, unless it has a quota of its own. */
    static final double BYTES_PER_SECOND = 64 << 20;

    /** More than a broker can take. */
    private static final double UNLIMITED = 1L << 50;

    private static final String PRODUCER_RATE = "producer_byte_rate";

    private static final int ITERATIONS = 8_192;
    private static final String ANY_HOST = "*";

    private final Admin admin;

    /** @param admin a client that may change Kafka's users; the caller closes it */
    public KafkaUsers(Admin admin) {
        this.admin = requireNonNull(admin, "admin is null");
    }

    /** Sets the password of a user, new or not. */
    public void setPassword(String user, String password) throws ExecutionException, InterruptedException {
        ScramCredentialInfo scram = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, scram, password)))
                .all()
                .get();
    }

    /**
     * Makes a user that may only write to streams, in place of one of that name.
     *
     * @param bytesPerSecond what it may send to one broker; absent: as much as any other login
     */
    public void addProducer(String user, String password, Collection<String> streams, OptionalLong bytesPerSecond)
            throws ExecutionException, InterruptedException {
        // New rules come before old ones go: the user may be shipping
        mayWrite(user, streams);
        removeRules(user, streams);
        // A quota of the user would be stronger than those that the balancer sets
        setQuota(user, bytesPerSecond.isPresent() ? (double) bytesPerSecond.getAsLong() : null);
        setPassword(user, password);
    }

    /** Removes a user, if there is one. Its open connections stay until they end, and may do nothing more. */
    public void remove(String user) throws ExecutionException, InterruptedException {
        removeRules(user, Set.of());
        setQuota(user, null);
        try {
            admin.alterUserScramCredentials(
                            List.of(new UserScramCredentialDeletion(user, ScramMechanism.SCRAM_SHA_512)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof ResourceNotFoundException)) {
                throw e;
            }
        }
    }

    /**
     * Limits each login that has no quota of its own, so that no single one takes Kafka from the others. A limit that
     * is there stays.
     */
    public void limitAll() throws ExecutionException, InterruptedException {
        ClientQuotaFilter everyLogin = ClientQuotaFilter.containsOnly(
                List.of(ClientQuotaFilterComponent.ofDefaultEntity(ClientQuotaEntity.USER)));
        boolean limited = admin.describeClientQuotas(everyLogin).entities().get().values().stream()
                .anyMatch(quotas -> quotas.containsKey(PRODUCER_RATE));
        if (!limited) {
            setQuota(null, BYTES_PER_SECOND);
        }
    }

    /** Takes the limit of all logins from one of them. */
    public void unlimit(String user) throws ExecutionException, InterruptedException {
        setQuota(user, UNLIMITED);
    }

    /** Removes all rules of a user but those about these topics. */
    private void removeRules(String user, Collection<String> kept) throws ExecutionException, InterruptedException {
        AclBindingFilter ofUser = new AclBindingFilter(
                ResourcePatternFilter.ANY,
                new AccessControlEntryFilter(principal(user), null, AclOperation.ANY, AclPermissionType.ANY));
        List<AclBindingFilter> others = admin.describeAcls(ofUser).values().get().stream()
                .filter(rule -> rule.pattern().resourceType() != ResourceType.TOPIC
                        || !kept.contains(rule.pattern().name()))
                .map(AclBinding::toFilter)
                .toList();
        admin.deleteAcls(others).all().get();
    }

    /**
     * @param user null for all that have none
     * @param rate null for none
     */
    private void setQuota(String user, Double rate) throws ExecutionException, InterruptedException {
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.USER, user)),
                        List.of(new ClientQuotaAlteration.Op(PRODUCER_RATE, rate)))))
                .all()
                .get();
    }

    private static String principal(String user) {
        return "User:" + user;
    }

    /** Allows a user to write to streams. Nothing else follows from it: no reading, no transactions. */
    public void mayWrite(String user, Collection<String> streams) throws ExecutionException, InterruptedException {
        for (String stream : streams) {
            allow(user, ResourceType.TOPIC, stream, AclOperation.WRITE, AclOperation.DESCRIBE);
        }
    }

    /** Allows a user operations on one resource. */
    public void allow(String user, ResourceType type, String name, AclOperation... operations)
            throws ExecutionException, InterruptedException {
        List<AclBinding> bindings = new ArrayList<>();
        for (AclOperation operation : operations) {
            bindings.add(new AclBinding(
                    new ResourcePattern(type, name, PatternType.LITERAL),
                    new AccessControlEntry(principal(user), ANY_HOST, operation, AclPermissionType.ALLOW)));
        }
        admin.createAcls(bindings).all().get();
    }
}
