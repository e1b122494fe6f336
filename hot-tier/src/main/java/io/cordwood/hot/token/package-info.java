/** The rules of records' tokens, from the catalog. */
package io.cordwood.hot.token;
