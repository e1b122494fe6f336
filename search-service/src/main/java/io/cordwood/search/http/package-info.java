/** What all requests have in common: fields, errors and bounds. */
package io.cordwood.search.http;
