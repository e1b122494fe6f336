/** Meters the bytes that queries read. */
package io.cordwood.query.usage;
