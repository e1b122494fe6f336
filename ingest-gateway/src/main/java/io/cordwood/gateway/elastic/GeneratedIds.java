package io.cordwood.gateway.elastic;

import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of one request's documents whose client gave none, of the form of Elasticsearch's. Not thread-safe. */
final class GeneratedIds {
    private static final int RANDOM_BYTES = 12;
    private static final int DIGIT_BITS = 6;
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private final char[] id;
    private final int prefix;

    GeneratedIds() {
        byte[] random = new byte[RANDOM_BYTES];
        ThreadLocalRandom.current().nextBytes(random);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        prefix = text.length();
        id = (text + "AAAA").toCharArray();
    }

    /** The id of a document. */
    String of(int number) {
        int left = number;
        for (int i = id.length - 1; i >= prefix; i--) {
            id[i] = DIGITS.charAt(left & (DIGITS.length() - 1));
            left >>>= DIGIT_BITS;
        }
        return new String(id);
    }
}
