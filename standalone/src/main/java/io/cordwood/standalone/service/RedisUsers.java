package io.cordwood.standalone.service;

import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The users of a stack's own Redis, as its ACL file. Each part may use the commands that it needs, on the keys that are
 * its own; nobody logs in without a password. The file has only hashes of passwords. Stateless.
 */
final class RedisUsers {
    /** What every client does to connect. */
    private static final String CONNECTION = "+hello +auth +ping +select +client|setname";

    private static final String ROUTES = "%R~cordwood:routes:* &cordwood:routes:*";
    private static final String READ_ROUTES = "+get +subscribe +unsubscribe";

    private RedisUsers() {}

    static String file(Secrets secrets) throws IOException {
        return "user default off resetpass -@all\n"
                + user(secrets, Account.ADMIN, "resetkeys", "+acl|setuser +config|set +client|kill")
                + user(
                        secrets,
                        Account.INGEST,
                        "~cordwood:hot:* ~cordwood:traffic:*",
                        "+hset +hkeys +hstrlen +hdel +expire +zrange")
                + user(
                        secrets,
                        Account.QUERY,
                        "%R~cordwood:hot:2:* %R~cordwood:hot:columns:* ~cordwood:hot:asked:* ~cordwood:alerts:*",
                        "+hmget +zadd +zremrangebyrank +eval +get +set +del +incr +pexpire")
                + user(
                        secrets,
                        Account.BALANCER,
                        "%R~cordwood:traffic:* ~cordwood:routes:* ~cordwood:balancer:* &cordwood:routes:*",
                        "+eval +get +set +del +incr +pexpire +hget +hset +hdel +hgetall +lpush +lrange +ltrim"
                                + " +publish +subscribe +unsubscribe")
                + user(secrets, Account.GATEWAY, ROUTES, READ_ROUTES)
                + user(secrets, Account.PRODUCER, ROUTES, READ_ROUTES);
    }

    private static String user(Secrets secrets, Account account, String keys, String commands) throws IOException {
        return "user %s on %s resetchannels %s -@all %s %s\n"
                .formatted(
                        account.user(),
                        String.join(" ", hashes(secrets.redisPasswords(account))),
                        keys,
                        CONNECTION,
                        commands);
    }

    /** Passwords as rules of an ACL that let in who has one of them. */
    static List<String> hashes(List<String> passwords) {
        return passwords.stream().map(password -> "#" + hash(password)).toList();
    }

    private static String hash(String password) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(password.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }
}
