{{- define "cordwood.labels" -}}
{app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: cordwood}
{{- end }}

{{- define "cordwood.selector" -}}
{app.kubernetes.io/name: {{ . }}}
{{- end }}

{{- define "cordwood.probe" -}}
exec:
  command: [/opt/cordwood/docker/healthy, {{ range $i, $part := . }}{{ if $i }}, {{ end }}{{ $part | quote }}{{ end }}]
timeoutSeconds: 5
{{- end }}

{{/* Settings of all services: a pod of another value starts anew. */}}
{{- define "cordwood.settings" -}}
CORDWOOD_SECRETS: /secrets
CORDWOOD_KAFKA: {{ include "cordwood.kafka" . | quote }}
CORDWOOD_REDIS: {{ include "cordwood.redis" . | quote }}
CORDWOOD_STREAMS: {{ join "," .Values.streams | quote }}
CORDWOOD_WAREHOUSE: {{ .Values.warehouse | quote }}
CORDWOOD_MAX_AGE: {{ .Values.maxAge | int64 | quote }}
{{- with .Values.s3.endpoint }}
CORDWOOD_S3_ENDPOINT: {{ . | quote }}
{{- end }}
CORDWOOD_S3_PATH_STYLE: {{ .Values.s3.pathStyle | quote }}
AWS_REGION: {{ .Values.s3.region | quote }}
{{- range $option, $value := .Values.options }}
{{ $option }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "cordwood.kafka" -}}
{{- if .Values.kafka.bootstrap }}{{ .Values.kafka.bootstrap }}
{{- else if .Values.kafka.strimzi }}cordwood-kafka-bootstrap:9093
{{- else }}{{ fail "Set kafka.bootstrap to the address of your Kafka, or kafka.strimzi to true." }}
{{- end }}
{{- end }}

{{- define "cordwood.redis" -}}
{{- if .Values.redis.url }}{{ .Values.redis.url }}
{{- else if .Values.redis.enabled }}rediss://redis:6379
{{- else }}{{ fail "Set redis.url to the address of your Redis, or redis.enabled to true." }}
{{- end }}
{{- end }}

{{- define "cordwood.pullSecrets" -}}
[{{ range $i, $name := . }}{{ if $i }}, {{ end }}{name: {{ $name }}}{{ end }}]
{{- end }}
