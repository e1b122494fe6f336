package io.cordwood.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * TLS from PEM files: certificates of authorities, and a service's own certificate with its key. The contexts read the
 * files again when they change: handshakes from then on go by the new content. Stateless.
 */
public final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----");
    /** A session that is taken up again does not show its certificate. So it must end soon after a change. */
    private static final int SESSION_SECONDS = 60;

    private static final String OWN = "own";
    /** Also the length of a block of AES. */
    private static final int SALT_BYTES = 16;

    private PemFiles() {}

    /**
     * TLS for a client that trusts the authorities of a file and no others.
     *
     * @throws IOException if the file cannot be read or holds no certificate
     */
    public static SSLContext trusting(Path authorities) throws IOException {
        return context(null, trust(authorities));
    }

    /**
     * TLS for a service with a certificate of its own.
     *
     * @param own its key (PKCS#8) and its certificates
     * @throws IOException if the file cannot be read or lacks one of them
     */
    public static SSLContext serving(Path own) throws IOException {
        return context(keys(own), null);
    }

    /** TLS for a service that also proves itself to others, and asks them to: mutual TLS. */
    public static SSLContext mutual(Path own, Path authorities) throws IOException {
        return context(keys(own), trust(authorities));
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
            context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot set up TLS: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(Path own) throws IOException {
        return new KeyManager[] {new FileKeyManager(own)};
    }

    private static TrustManager[] trust(Path authorities) throws IOException {
        return new TrustManager[] {new FileTrustManager(authorities)};
    }

    /**
     * The key and certificates of a file as a key store in memory, under the name {@code own}.
     *
     * @param password one that nobody can guess, or none: the key is derived from it by a single step
     * @throws IOException as {@link #keyAndCertificates} does
     */
    public static KeyStore keyStore(Path own, char[] password) throws IOException {
        KeyStore.PrivateKeyEntry entry = keyAndCertificates(own);
        try {
            KeyStore store = emptyStore();
            // By default a password is stretched by ten thousand steps, at each start of a process and each renewal
            byte[] salt = new byte[SALT_BYTES];
            byte[] start = new byte[SALT_BYTES];
            SecureRandom random = new SecureRandom();
            random.nextBytes(salt);
            random.nextBytes(start);
            store.setEntry(
                    OWN,
                    entry,
                    new KeyStore.PasswordProtection(
                            password,
                            "PBEWithHmacSHA256AndAES_256",
                            new PBEParameterSpec(salt, 1, new IvParameterSpec(start))));
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use the key in %s: %s".formatted(own, e.getMessage()), e);
        }
    }

    /**
     * The key and certificates of a file.
     *
     * @throws IOException if the file cannot be read or lacks one of them, or the key is not that of the first
     *     certificate
     */
    public static KeyStore.PrivateKeyEntry keyAndCertificates(Path own) throws IOException {
        String pem = Files.readString(own);
        Matcher key = KEY.matcher(pem);
        if (!key.find()) {
            throw new IOException("%s holds no private key in PKCS#8".formatted(own));
        }
        try {
            PrivateKey privateKey = privateKey(key.group(1));
            Certificate[] certificates = certificates(own, pem);
            if (!belongTogether(privateKey, certificates[0].getPublicKey())) {
                throw new IOException("The key in %s is not that of its certificate".formatted(own));
            }
            return new KeyStore.PrivateKeyEntry(privateKey, certificates);
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use the key in %s: %s".formatted(own, e.getMessage()), e);
        }
    }

    /** Whether the public key verifies what the private one signs. */
    private static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) throws GeneralSecurityException {
        if (!privateKey.getAlgorithm().equals(publicKey.getAlgorithm())) {
            return false;
        }
        Signature signature =
                Signature.getInstance(privateKey.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
        byte[] text = publicKey.getEncoded();
        signature.initSign(privateKey);
        signature.update(text);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(publicKey);
            signature.update(text);
            return signature.verify(signed);
        } catch (SignatureException e) {
            // So it is with keys of different sizes
            return false;
        }
    }

    /** The certificates of a file as a key store in memory. */
    public static KeyStore trustStore(Path authorities) throws IOException {
        try {
            KeyStore store = emptyStore();
            Certificate[] certificates = certificates(authorities, Files.readString(authorities));
            for (int i = 0; i < certificates.length; i++) {
                store.setCertificateEntry("authority-" + i, certificates[i]);
            }
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use the certificates in %s: %s".formatted(authorities, e.getMessage()), e);
        }
    }

    /** When the first of the certificates of {@link #keyAndCertificates} ends. */
    static Instant expiry(Path own) throws IOException {
        return Stream.of(keyAndCertificates(own).getCertificateChain())
                .map(certificate ->
                        ((X509Certificate) certificate).getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static PrivateKey privateKey(String base64) throws GeneralSecurityException {
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
        GeneralSecurityException last = null;
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException e) {
                last = e;
            }
        }
        throw last;
    }

    private static Certificate[] certificates(Path file, String pem) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> certificates = new ArrayList<>();
        Matcher certificate = CERTIFICATE.matcher(pem);
        while (certificate.find()) {
            try (InputStream in = new ByteArrayInputStream(certificate.group().getBytes(StandardCharsets.US_ASCII))) {
                certificates.add(factory.generateCertificate(in));
            }
        }
        if (certificates.isEmpty()) {
            throw new IOException("%s holds no certificate".formatted(file));
        }
        return certificates.toArray(Certificate[]::new);
    }
}
