/** The questions of the API, and their answers. */
package io.cordwood.search.api;
