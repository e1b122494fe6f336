package io.cordwood.standalone.secret;

import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** The certificate authority of one lake. Its keys and those of the services are on P-256. Immutable. */
final class Authority {
    private static final Duration OWN_LIFE = Duration.ofDays(3_650);
    private static final Duration SERVICE_LIFE = Duration.ofDays(825);
    /** A certificate with less than this left is made anew at the next start. */
    private static final Duration RENEWAL = Duration.ofDays(60);

    private static final int SERIAL_BITS = 120;
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|.*:.*");

    private final X509Certificate certificate;
    private final PrivateKey key;

    private Authority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Reads the authority, or makes a new one if there is none. */
    static Authority open(Path certificateFile, Path keyFile) throws IOException {
        Authority authority = Files.exists(keyFile) ? read(keyFile) : create(keyFile);
        // It may have been made by a process that was killed before it wrote this
        if (!Files.exists(certificateFile) || !Files.readString(certificateFile).contains(authority.certificatePem())) {
            AtomicFiles.write(certificateFile, authority.certificatePem());
        }
        return authority;
    }

    /** Reads the authority of a file. */
    static Authority read(Path keyFile) throws IOException {
        KeyStore.PrivateKeyEntry own = PemFiles.keyAndCertificates(keyFile);
        return new Authority((X509Certificate) own.getCertificate(), own.getPrivateKey());
    }

    /** Makes a new authority in a file, which has its key and, as the files of services have, the certificate. */
    static Authority create(Path keyFile) throws IOException {
        try {
            KeyPair pair = newKey();
            X509Certificate certificate = selfSigned(pair);
            AtomicFiles.write(
                    keyFile,
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()) + pem("CERTIFICATE", certificate.getEncoded()));
            return new Authority(certificate, pair.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("cannot make a certificate authority: " + e.getMessage(), e);
        }
    }

    /** Its certificate, for those that are to trust it. */
    String certificatePem() throws IOException {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot write the authority's certificate: " + e.getMessage(), e);
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    /**
     * Makes the certificate of a service, unless the file has one of this authority that is good for long enough.
     *
     * @param hosts names and addresses under which others reach the service; a certificate without one is made anew,
     *     and keeps those that the earlier one has
     */
    void renew(String service, Set<String> hosts, Path file) throws IOException {
        try {
            Optional<X509Certificate> earlier =
                    Files.exists(file) ? Optional.of(certificate(file)).filter(this::isIssuedHere) : Optional.empty();
            Set<String> all = new TreeSet<>(hosts);
            if (earlier.isPresent()) {
                all.addAll(hostsOf(earlier.get()));
            }
            if (earlier.isEmpty() || !isGood(earlier.get(), hosts)) {
                issue(service, all, file);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot read the certificate of %s: %s".formatted(service, e.getMessage()), e);
        }
    }

    /** Makes a new key and certificate of a service. */
    void issue(String service, Set<String> hosts, Path file) throws IOException {
        try {
            KeyPair pair = newKey();
            X509Certificate own = issue(service, hosts, pair.getPublic());
            AtomicFiles.write(
                    file, pem("PRIVATE KEY", pair.getPrivate().getEncoded()) + pem("CERTIFICATE", own.getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("cannot make the certificate of %s: %s".formatted(service, e.getMessage()), e);
        }
    }

    private static boolean isGood(X509Certificate own, Set<String> hosts) throws CertificateParsingException {
        return own.getNotAfter().toInstant().isAfter(Instant.now().plus(RENEWAL))
                && hostsOf(own).containsAll(hosts);
    }

    /** The first certificate of a service's file. */
    static X509Certificate certificate(Path own) throws IOException {
        return (X509Certificate) PemFiles.keyAndCertificates(own).getCertificate();
    }

    private boolean isIssuedHere(X509Certificate own) {
        try {
            own.verify(certificate.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The names and addresses in the certificate of a service's file. */
    static Set<String> hosts(Path own) throws IOException {
        try {
            return hostsOf(certificate(own));
        } catch (CertificateParsingException e) {
            throw new IOException("cannot read %s: %s".formatted(own, e.getMessage()), e);
        }
    }

    private static Set<String> hostsOf(X509Certificate own) throws CertificateParsingException {
        // Each name is a pair of its type and its value
        return own.getSubjectAlternativeNames().stream()
                .map(name -> name.get(1).toString())
                .collect(Collectors.toSet());
    }

    private static X509Certificate selfSigned(KeyPair pair)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        // Some programs keep authorities by their names, so a new one has another than the one before
        X500Name name = new X500Name("CN=Cordwood authority " + System.currentTimeMillis());
        X509v3CertificateBuilder builder = builder(name, name, OWN_LIFE, pair.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return sign(builder, pair.getPrivate());
    }

    private X509Certificate issue(String service, Set<String> hosts, PublicKey publicKey)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X509v3CertificateBuilder builder = builder(
                        X500Name.getInstance(
                                certificate.getSubjectX500Principal().getEncoded()),
                        new X500Name("CN=" + service),
                        SERVICE_LIFE,
                        publicKey)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                    KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                }))
                .addExtension(Extension.subjectAlternativeName, false, names(hosts))
                .addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
        return sign(builder, key);
    }

    private static GeneralNames names(Set<String> hosts) {
        return new GeneralNames(hosts.stream()
                .map(host -> new GeneralName(
                        ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new));
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, Duration life, PublicKey publicKey) throws IOException {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()),
                // Another machine's clock may be behind
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(life)),
                subject,
                publicKey);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        X509CertificateHolder signed = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key));
        return new JcaX509CertificateConverter().getCertificate(signed);
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static String pem(String type, byte[] content) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, content));
        }
        return text.toString();
    }
}
