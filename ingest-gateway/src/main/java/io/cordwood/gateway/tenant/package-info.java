/** Whose rows a request brings. */
package io.cordwood.gateway.tenant;
