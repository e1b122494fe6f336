/** The page on which people search: static files, which ask the API. */
package io.cordwood.search.page;
