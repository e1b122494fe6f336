"""Ships the documents of standard input with one of the official clients, and prints what it says of them."""
import json
import sys

import elasticsearch
import elasticsearch.helpers
import opensearchpy
import opensearchpy.helpers

task = json.load(sys.stdin)
headers = {"X-Scope-OrgID": task["tenant"]}
if task["client"] == "elasticsearch":
    client = elasticsearch.Elasticsearch(task["url"], headers=headers)
    helpers = elasticsearch.helpers
else:
    client = opensearchpy.OpenSearch(task["url"], headers=headers, http_compress=True)
    helpers = opensearchpy.helpers

version = client.info()["version"]["number"]
health = client.cluster.health()["status"]
actions = [{"_op_type": "create", "_index": task["index"], "_source": document} for document in task["documents"]]
taken, errors = helpers.bulk(client, actions, chunk_size=250, raise_on_error=False)
if task["client"] == "elasticsearch":
    one = client.index(index=task["index"], id="one", document={"n": -1})
else:
    one = client.index(index=task["index"], id="one", body={"n": -1})
refused = helpers.bulk(
    client, [{"_op_type": "delete", "_index": task["index"], "_id": "one"}], raise_on_error=False)[1]
client.indices.refresh(index=task["index"])
exists = bool(client.indices.exists(index=task["index"]))
json.dump({"version": version, "health": health, "taken": taken, "errors": errors, "one": one["result"],
           "refused": refused[0]["delete"]["status"], "exists": exists}, sys.stdout)
