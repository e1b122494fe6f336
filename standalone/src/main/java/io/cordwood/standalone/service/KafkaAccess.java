package io.cordwood.standalone.service;

import io.cordwood.ingest.source.TopicChecks;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.KafkaUsers;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The users of a stack's own Kafka and what each may do. Whatever is not named here is refused. Stateless.
 *
 * @param secrets the passwords of the users
 * @param topics the streams
 */
record KafkaAccess(Secrets secrets, Topics topics) {
    /** The group whose offsets show how far the ingest job is; see {@code --group-id}. */
    private static final String GROUP = "cordwood-ingest";

    private static final String ANY = "*";

    /** Sets users, passwords permissions and the quota of all; repeating it changes nothing. */
    void grant() throws IOException, InterruptedException {
        try (Admin admin = topics.admin()) {
            KafkaUsers users = new KafkaUsers(admin);
            for (Account account : Account.values()) {
                users.setPassword(account.user(), secrets.kafkaPassword(account));
            }
            ingest(users);
            query(users);
            balancer(users);
            users.mayWrite(Account.PRODUCER.user(), topics.streams());
            users.mayWrite(Account.GATEWAY.user(), topics.streams());
            users.limitAll();
            // It brings what many shippers send, and holds each tenant to its own quota
            users.unlimit(Account.GATEWAY.user());
        } catch (ExecutionException | ApiException e) {
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            throw new IOException("cannot set the users of Kafka: " + Errors.text(cause), e);
        }
    }

    private void ingest(KafkaUsers users) throws ExecutionException, InterruptedException {
        String user = Account.INGEST.user();
        for (String stream : topics.streams()) {
            // CREATE, because only a client that might create a topic learns from the controller whether it exists.
            users.allow(
                    user,
                    ResourceType.TOPIC,
                    stream,
                    AclOperation.READ,
                    AclOperation.DESCRIBE,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.CREATE);
            users.allow(
                    user,
                    ResourceType.TOPIC,
                    stream + TopicChecks.DEAD_LETTER_SUFFIX,
                    AclOperation.WRITE,
                    AclOperation.DESCRIBE,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.CREATE);
        }
        users.allow(user, ResourceType.GROUP, GROUP, AclOperation.READ, AclOperation.DESCRIBE);
        // The sizes of logs, and the names of transactions that hold rows back.
        users.allow(user, ResourceType.CLUSTER, Resource.CLUSTER_NAME, AclOperation.DESCRIBE);
        users.allow(user, ResourceType.TRANSACTIONAL_ID, ANY, AclOperation.DESCRIBE);
    }

    private void query(KafkaUsers users) throws ExecutionException, InterruptedException {
        for (String stream : topics.streams()) {
            users.allow(Account.QUERY.user(), ResourceType.TOPIC, stream, AclOperation.READ, AclOperation.DESCRIBE);
        }
    }

    private void balancer(KafkaUsers users) throws ExecutionException, InterruptedException {
        String user = Account.BALANCER.user();
        for (String stream : topics.streams()) {
            // ALTER, because it adds partitions.
            users.allow(user, ResourceType.TOPIC, stream, AclOperation.DESCRIBE, AclOperation.ALTER);
        }
        users.allow(user, ResourceType.GROUP, GROUP, AclOperation.DESCRIBE);
        // The sizes of logs, and the quotas of clients.
        users.allow(
                user,
                ResourceType.CLUSTER,
                Resource.CLUSTER_NAME,
                AclOperation.DESCRIBE,
                AclOperation.DESCRIBE_CONFIGS,
                AclOperation.ALTER_CONFIGS);
    }
}
