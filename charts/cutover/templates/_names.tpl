{{/* The name of all objects. */}}
{{- define "cutover.name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "cutover" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-cutover" (.Release.Name | trunc 32 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{/* What pods are found by. It is part of what cannot be changed in a Deployment: nothing may ever be added to it. */}}
{{- define "cutover.selector" -}}
app.kubernetes.io/name: cutover
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* Those and what else is good to know. */}}
{{- define "cutover.labels" -}}
{{ include "cutover.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "cutover.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "cutover.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "cutover.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Whether webhooks are served: text, or none. Who only looks asks about no write, and changes none. */}}
{{- define "cutover.webhooks" -}}
{{- if and .Values.webhooks.enabled (not .Values.observeOnly) -}}
served
{{- end -}}
{{- end -}}

{{/* The namespace of organizations, domains and runners of Cloud Foundry. */}}
{{- define "cutover.cfRoot" -}}
{{- if hasKey .Values.cloudfoundry.settings "rootNamespace" -}}
{{- .Values.cloudfoundry.settings.rootNamespace -}}
{{- else -}}
cf
{{- end -}}
{{- end -}}
