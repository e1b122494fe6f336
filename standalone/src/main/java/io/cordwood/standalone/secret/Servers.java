package io.cordwood.standalone.secret;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The running services of a stack, as far as a rotation of their secrets needs them. Repeating a call does no harm. A
 * call that throws has done its work, or nothing, or a part that a repetition completes.
 */
public interface Servers {
    /** Makes a new token of a user, with the operator's token as it is now, and returns it. */
    String createToken(String user) throws IOException;

    /** Ends a token, if it has not ended yet. */
    void revokeToken(String id) throws IOException;

    /** The services that read the token of a service user only when they start. */
    List<String> readersAtStart(String user);

    /** Sets the password with which Kafka lets an account in. Connections go on until they must log in again. */
    void setKafkaPassword(Account account, String password) throws IOException, InterruptedException;

    /** Returns when Kafka lets the account in with its files. */
    void awaitKafkaLogin(Account account) throws IOException, InterruptedException;

    /** Sets all passwords with which Redis lets an account in. Connections that there are go on. */
    void setRedisPasswords(Account account, List<String> passwords) throws IOException;

    /** Ends the connections of an account to Redis. */
    void closeRedisConnections(Account account) throws IOException;

    /** Returns when a service proves itself with the certificate in its file. */
    void useCertificate(String service) throws IOException, InterruptedException;

    /** Ends the process of a service, and returns when its supervisor has started another and that is ready. */
    void restart(String service) throws IOException, InterruptedException;

    /** Waits until all who read a file from time to time have read it. */
    void pause(Duration time) throws InterruptedException;
}
