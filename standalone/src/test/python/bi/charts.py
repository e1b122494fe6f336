"""Three charts of a table of logs and a dashboard of them, as Superset's pages store them."""

import json
from dataclasses import dataclass, replace

NEWEST = 100
COLUMNS = ["ts", "level", "message", "n"]
_COLOURS = {"INFO": "#7aa6c2", "WARN": "#e0a83e", "ERROR": "#c8423b"}


@dataclass(frozen=True, eq=False)
class Chart:
    """`parameters` are what the chart's editor shows, `query` what its data is asked for with."""

    name: str
    width: int
    height: int
    parameters: dict
    query: dict

    def context(self, dataset):
        return {
            "datasource": {"id": dataset, "type": "table"},
            "force": True,
            "queries": [self.query],
            "form_data": self._parameters(dataset),
            "result_format": "json",
            "result_type": "full",
        }

    def every(self, grain):
        """The same by another grain of time."""
        first, *others = self.query["columns"]
        return replace(self, query={**self.query, "columns": [{**first, "timeGrain": grain}, *others]})

    def body(self, dataset):
        return {
            "slice_name": self.name,
            "viz_type": self.parameters["viz_type"],
            "datasource_id": dataset,
            "datasource_type": "table",
            "params": json.dumps(self._parameters(dataset)),
            "query_context": json.dumps(self.context(dataset)),
        }

    def _parameters(self, dataset):
        return {"datasource": f"{dataset}__table", **self.parameters}


def lines_per_minute(period):
    minute = {"columnType": "BASE_AXIS", "expressionType": "SQL", "label": "ts", "sqlExpression": "ts"}
    return Chart(
        "Lines per minute",
        9,
        50,
        {
            "viz_type": "echarts_timeseries_bar",
            "x_axis": "ts",
            "time_grain_sqla": "PT1M",
            "metrics": ["count"],
            "groupby": ["level"],
            "adhoc_filters": [_within(period)],
            "row_limit": 10_000,
            "stack": "Stack",
            "show_legend": True,
            "x_axis_time_format": "%H:%M",
            "y_axis_format": ",d",
        },
        {
            "columns": [{**minute, "timeGrain": "PT1M"}, "level"],
            "series_columns": ["level"],
            "metrics": ["count"],
            "row_limit": 10_000,
            **_filters(period),
        },
    )


def newest_rows(period):
    return Chart(
        "Newest rows",
        12,
        60,
        {
            "viz_type": "table",
            "query_mode": "raw",
            "all_columns": COLUMNS,
            "order_by_cols": [json.dumps(["ts", False])],
            "adhoc_filters": [_within(period)],
            "row_limit": NEWEST,
            "show_cell_bars": False,
            "table_timestamp_format": "%Y-%m-%d %H:%M:%S.%L",
        },
        {"columns": COLUMNS, "orderby": [["ts", False]], "metrics": [], "row_limit": NEWEST, **_filters(period)},
    )


def lines_with_error(period):
    condition = "match(message, 'error')"
    clause = {"clause": "WHERE", "expressionType": "SQL", "sqlExpression": condition}
    return Chart(
        "Lines with the word error",
        3,
        50,
        {
            "viz_type": "big_number_total",
            "metric": "count",
            "adhoc_filters": [_within(period), clause],
            "y_axis_format": ",d",
            "header_font_size": 0.3,
            "subheader": condition,
            "subheader_font_size": 0.125,
        },
        {"columns": [], "metrics": ["count"], **_filters(period), "extras": {"where": f"({condition})"}},
    )


def _within(period):
    return {
        "clause": "WHERE",
        "expressionType": "SIMPLE",
        "subject": "ts",
        "operator": "TEMPORAL_RANGE",
        "comparator": period,
    }


def _filters(period):
    return {"filters": [{"col": "ts", "op": "TEMPORAL_RANGE", "val": period}], "extras": {}}


def dashboard(title, rows):
    """`rows` has lists of (chart, its id)."""
    position = {
        "DASHBOARD_VERSION_KEY": "v2",
        "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
        "GRID_ID": {"type": "GRID", "id": "GRID_ID", "children": [], "parents": ["ROOT_ID"]},
        "HEADER_ID": {"type": "HEADER", "id": "HEADER_ID", "meta": {"text": title}},
    }
    for number, charts in enumerate(rows):
        row = f"ROW-{number}"
        position["GRID_ID"]["children"].append(row)
        position[row] = {
            "type": "ROW",
            "id": row,
            "children": [f"CHART-{id}" for _, id in charts],
            "parents": ["ROOT_ID", "GRID_ID"],
            "meta": {"background": "BACKGROUND_TRANSPARENT"},
        }
        for chart, id in charts:
            position[f"CHART-{id}"] = {
                "type": "CHART",
                "id": f"CHART-{id}",
                "children": [],
                "parents": ["ROOT_ID", "GRID_ID", row],
                "meta": {"chartId": id, "width": chart.width, "height": chart.height, "sliceName": chart.name},
            }
    return {
        "dashboard_title": title,
        "published": True,
        "position_json": json.dumps(position),
        "json_metadata": json.dumps({"label_colors": _COLOURS}),
    }
