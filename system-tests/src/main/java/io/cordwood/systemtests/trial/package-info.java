/**
 * One fault at one fault point. A breakpoint stops the job there until the fault has happened, so the outcome does not
 * depend on chance.
 */
package io.cordwood.systemtests.trial;
