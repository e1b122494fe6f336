package io.cordwood.identity;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** An authority that issues certificates for {@code localhost}. Immutable. */
public final class TestAuthority {
    private static final AtomicLong SERIALS = new AtomicLong(1);
    private static final Map<String, KeyPair> RSA = new ConcurrentHashMap<>();

    private final X500Name name;
    private final KeyPair pair;
    private final X509CertificateHolder certificate;

    public TestAuthority(String name) throws Exception {
        this.name = new X500Name("CN=" + name);
        this.pair = newPair("EC");
        this.certificate =
                sign(builder(this.name, pair).addExtension(Extension.basicConstraints, true, new BasicConstraints(0)));
    }

    /** A key and its certificate, in PEM. */
    public record Pair(String key, String certificate) {
        public String pem() {
            return key + certificate;
        }
    }

    /** Its certificate in PEM. */
    public String pem() throws IOException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /** A new key on P-256 with its certificate. */
    public Pair issue(String subject) throws Exception {
        return issue(subject, newPair("EC"));
    }

    /** The RSA key of that name with a new certificate. It is made once, for that takes seconds. */
    Pair issueRsa(String subject) throws Exception {
        return issue(subject, RSA.computeIfAbsent(subject, any -> newPair("RSA")));
    }

    private Pair issue(String subject, KeyPair of) throws Exception {
        GeneralNames names = new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost"));
        X509CertificateHolder issued = sign(builder(new X500Name("CN=" + subject), of)
                .addExtension(Extension.subjectAlternativeName, false, names));
        return new Pair(pem("PRIVATE KEY", of.getPrivate().getEncoded()), pem("CERTIFICATE", issued.getEncoded()));
    }

    private static KeyPair newPair(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            } else {
                generator.initialize(2048);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509v3CertificateBuilder builder(X500Name subject, KeyPair of) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                name,
                BigInteger.valueOf(SERIALS.getAndIncrement()),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                subject,
                of.getPublic());
    }

    private X509CertificateHolder sign(X509v3CertificateBuilder builder) throws OperatorCreationException {
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
    }

    private static String pem(String type, byte[] content) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, content));
        }
        return text.toString();
    }
}
