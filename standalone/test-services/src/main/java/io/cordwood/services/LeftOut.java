package io.cordwood.services;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test of a third-party suite for a feature that Cordwood does not offer. The test runs, and must fail with the
 * refusal that is named here: one that passes is no longer left out. {@link ListedTests} compares these tests with
 * those in the documents.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeftOutTests.class)
public @interface LeftOut {
    /** The reason in one sentence without its full stop, as in the documents. */
    String because();

    /** A part of the failure's message. */
    String refusal();
}
