"""Logs rows with OpenTelemetry's SDK: send_logs.py http|grpc ENDPOINT TENANT COUNT."""

import logging
import sys

from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource

protocol, endpoint, tenant, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
if protocol == "http":
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

    exporter = OTLPLogExporter(endpoint, headers={"X-Scope-OrgID": tenant}, compression=Compression.Gzip)
else:
    from grpc import Compression
    from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter

    exporter = OTLPLogExporter(
        endpoint, insecure=True, headers={"x-scope-orgid": tenant}, compression=Compression.Gzip
    )
provider = LoggerProvider(Resource.create({"service.name": "checkout", "host.cpus": 4}))
provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
logger = logging.getLogger("shop.cart")
logger.setLevel(logging.INFO)
logger.addHandler(LoggingHandler(logger_provider=provider))
for i in range(count):
    logger.warning("order %d of \"é\"\n", i, extra={"order": i, "price": i / 4, "paid": i % 2 == 0, "tags": ["a", "b"]})
provider.shutdown()
