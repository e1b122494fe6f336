/** The client of the search service: finds rows, follows them, and prints them. */
package io.cordwood.standalone.search;
