/** What a user may see and do in the catalog. */
package io.cordwood.trino.security;
