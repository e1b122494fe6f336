/** Regular expressions that are bounded in size. */
package io.cordwood.catalog.regex;
