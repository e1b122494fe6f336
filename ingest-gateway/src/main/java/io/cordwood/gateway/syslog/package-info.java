/** Syslog over TCP, TLS and UDP. */
package io.cordwood.gateway.syslog;
