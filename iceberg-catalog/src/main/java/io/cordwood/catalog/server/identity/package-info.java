/**
 * Who may do what at the catalog service: authentication, tokens and their revocation, and the audit.
 */
package io.cordwood.catalog.server.identity;
