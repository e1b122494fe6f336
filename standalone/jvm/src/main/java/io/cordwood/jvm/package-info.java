/** What JVMs of the same program share, so that they start faster. */
package io.cordwood.jvm;
