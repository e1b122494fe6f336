/**
 * One fault at the one moment that matters: the job is held there until the fault has happened, so no luck is needed.
 */
package io.cordwood.systemtests.trial;
