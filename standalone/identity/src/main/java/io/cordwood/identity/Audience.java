package io.cordwood.identity;

import java.util.Arrays;

/**
 * What a token is for. One that travels in records opens no door to requests, so that who reads a topic gets no access
 * by it; one for requests is no proof in a record.
 */
public enum Audience {
    /** Requests to services: the catalog, Trino, the balancer. */
    REQUESTS("cordwood"),
    /** Records in Kafka. */
    RECORDS("cordwood-records");

    private final String label;

    Audience(String label) {
        this.label = label;
    }

    /** The value of the claim {@code aud}, also in JSON and at the token endpoint. */
    public String label() {
        return label;
    }

    /** The audience of this label. @throws IllegalArgumentException if there is none */
    public static Audience of(String label) {
        return Arrays.stream(values())
                .filter(audience -> audience.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no audience of tokens: use %s or %s".formatted(label, REQUESTS.label, RECORDS.label)));
    }
}
