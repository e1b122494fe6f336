/** Takes sensitive values out of rows. */
package io.cordwood.gateway.redact;
