/** What doors know of their callers, from the catalog service. */
package io.cordwood.query.access;
