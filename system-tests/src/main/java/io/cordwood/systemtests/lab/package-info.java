/**
 * A whole stack for fault injection: broker and catalog behind proxies, the rest under {@code bin/cordwood up}.
 * {@link io.cordwood.systemtests.lab.Lab} starts it; the other types act on it or wait for it.
 */
package io.cordwood.systemtests.lab;
