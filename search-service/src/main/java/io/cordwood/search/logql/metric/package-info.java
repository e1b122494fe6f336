/** Numbers from lines: functions of ranges and of series, at points in time. */
package io.cordwood.search.logql.metric;
