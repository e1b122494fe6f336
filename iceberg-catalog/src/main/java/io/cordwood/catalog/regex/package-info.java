/** Regular expressions whose size and work are bounded. */
package io.cordwood.catalog.regex;
