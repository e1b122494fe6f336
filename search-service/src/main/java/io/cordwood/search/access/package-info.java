/** Who asks, and which tenants and streams they read. */
package io.cordwood.search.access;
