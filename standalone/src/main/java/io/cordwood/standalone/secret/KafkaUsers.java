package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Users in Kafka: their SCRAM passwords and what they may do. Repeating a call changes nothing. Thread-safe. */
public final class KafkaUsers {
    /** Bytes per second that the login of one person or shipper may send. */
    static final double PRODUCER_BYTES_PER_SECOND = 64 << 20;

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

    /** Makes a user that may only write to streams, with a quota of its own. */
    public void addProducer(String user, String password, Collection<String> streams)
            throws ExecutionException, InterruptedException {
        setPassword(user, password);
        mayWrite(user, streams);
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, user)),
                        List.of(new ClientQuotaAlteration.Op("producer_byte_rate", PRODUCER_BYTES_PER_SECOND)))))
                .all()
                .get();
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
                    new AccessControlEntry("User:" + user, ANY_HOST, operation, AclPermissionType.ALLOW)));
        }
        admin.createAcls(bindings).all().get();
    }
}
