package io.cordwood.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key and certificate in a file are replaced while handshakes go on. */
final class FileKeyManagerTest {
    private static final String EC = "EC";

    @TempDir
    private Path directory;

    private TestAuthority authority;
    private Path own;
    private FileKeyManager manager;

    @BeforeEach
    void read() throws Exception {
        authority = new TestAuthority("authority");
        own = directory.resolve("own.pem");
        replace(authority.issue("one").pem());
        manager = new FileKeyManager(own);
    }

    private void replace(String content) throws Exception {
        Path next = Files.writeString(directory.resolve("next"), content);
        Files.move(next, own, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What a handshake asks for at first. */
    private String alias() {
        return manager.chooseServerAlias(EC, null, null);
    }

    private void assertPair(String alias, String subject) throws Exception {
        X509Certificate certificate = manager.getCertificateChain(alias)[0];
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo(subject);
        PrivateKey key = manager.getPrivateKey(alias);
        byte[] text = subject.getBytes(StandardCharsets.UTF_8);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate);
        signature.update(text);
        assertThat(signature.verify(signed))
                .as("key and certificate belong together")
                .isTrue();
    }

    @Test
    void theNextHandshakeHasTheNewPair() throws Exception {
        assertPair(alias(), "CN=one");
        replace(authority.issue("two").pem());
        assertPair(alias(), "CN=two");
        assertPair(manager.getClientAliases(EC, null)[0], "CN=two");
        assertPair(manager.getServerAliases(EC, null)[0], "CN=two");
    }

    @Test
    void aHandshakeThatBeganBeforeTheChangeKeepsItsPair() throws Exception {
        String begun = alias();
        replace(authority.issue("two").pem());
        assertPair(begun, "CN=one");
        String other = alias();
        assertPair(begun, "CN=one");
        assertPair(other, "CN=two");
    }

    @Test
    void aHandshakeThatBeganTwoChangesAgoHasNoPairRatherThanAMixedOne() throws Exception {
        String begun = alias();
        replace(authority.issue("two").pem());
        String second = alias();
        replace(authority.issue("three").pem());
        assertPair(alias(), "CN=three");
        assertPair(second, "CN=two");
        assertThat(manager.getCertificateChain(begun)).isNull();
        assertThat(manager.getPrivateKey(begun)).isNull();
    }

    @Test
    void aMissingFileLeavesThePairInUse() throws Exception {
        Files.delete(own);
        assertPair(alias(), "CN=one");
        replace(authority.issue("two").pem());
        assertPair(alias(), "CN=two");
    }

    @Test
    void garbageLeavesThePairInUse() throws Exception {
        String begun = alias();
        TestAuthority.Pair two = authority.issue("two");
        for (String garbage : new String[] {
            "",
            "garbage",
            two.key(),
            two.certificate(),
            two.pem().substring(0, two.key().length() / 2),
            authority.issue("three").key() + two.certificate()
        }) {
            replace(garbage);
            assertPair(alias(), "CN=one");
        }
        assertPair(begun, "CN=one");
        replace(two.pem());
        assertPair(alias(), "CN=two");
    }

    @Test
    void aKindOfKeyThatTheFileHasNotIsNotOffered() {
        assertThat(manager.chooseServerAlias("RSA", null, null)).isNull();
        assertThat(manager.getClientAliases("RSA", null)).isNull();
    }
}
