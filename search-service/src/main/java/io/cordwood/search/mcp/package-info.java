/** The Model Context Protocol, by which agents ask the questions of the API. */
package io.cordwood.search.mcp;
