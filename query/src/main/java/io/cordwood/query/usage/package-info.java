/** Meters what queries read. */
package io.cordwood.query.usage;
