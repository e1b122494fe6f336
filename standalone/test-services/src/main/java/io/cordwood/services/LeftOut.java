package io.cordwood.services;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of somebody else's suite that asks for what Cordwood does not offer. It runs, and must fail with the refusal
 * that is named here: one that passes is no longer left out. {@link ListedTests} compares these tests with those in the
 * documents.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeftOutTests.class)
public @interface LeftOut {
    /** Why, in one sentence without its full stop, as the documents say it. */
    String because();

    /** A part of what the failure says. */
    String refusal();
}
