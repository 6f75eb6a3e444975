{{/* Three quarters of the memory that the container may have, in MiB: the rest is for buffers, sockets and code. */}}
{{- define "cutover.heap" -}}
{{- $text := toString .Values.resources.limits.memory -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 -}}
{{- $number := regexFind "^[0-9]+" $text | int64 -}}
{{- $unit := regexFind "[A-Za-z]*$" $text -}}
{{- div (mul $number (index $units $unit) 3) (mul 4 1048576) -}}
{{- end -}}

{{/* What `cutover operator` is told. */}}
{{- define "cutover.args" -}}
- operator
- --lease-namespace={{ .Release.Namespace }}
- --health-port=8080
- --log-level={{ .Values.logLevel }}
{{- range $name := fromYamlArray (include "cutover.families" .) }}
- --family={{ $name }}
{{- end }}
{{- range $name := .Values.watchNamespaces }}
- --watch-namespace={{ $name }}
{{- end }}
{{- if gt (int64 .Values.shards) 1 }}
- --shards={{ int64 .Values.shards }}
{{- end }}
{{- if .Values.observeOnly }}
- --observe-only
{{- end }}
{{- range $kind := .Values.switchedOff }}
- --off={{ $kind }}
{{- end }}
{{- range $kind := .Values.takeover }}
- --takeover={{ $kind }}
{{- end }}
{{- if and .Values.families.flink (or .Values.flink.config .Values.flink.logFiles) }}
- --flink-config=/etc/cutover/flink
{{- end }}
{{- if and .Values.families.flink .Values.flink.rest }}
- {{ printf "--flink-rest=%s" .Values.flink.rest | quote }}
{{- end }}
{{- if and .Values.families.flink .Values.flink.otherOperator.namespace }}
- --flink-other-operator={{ .Values.flink.otherOperator.namespace }}
{{- end }}
{{- if and .Values.families.cloudfoundry .Values.cloudfoundry.settings }}
- --cf-config=/etc/cutover/cloudfoundry/cf.yaml
{{- end }}
{{- if and .Values.families.cloudfoundry .Values.cloudfoundry.api.enabled }}
- --cf-api-port=8443
{{- if .Values.cloudfoundry.api.tlsSecretName }}
- --cf-api-certs=/etc/cutover/cf-api-tls
{{- end }}
{{- if .Values.cloudfoundry.api.trustForwarded }}
- --cf-trust-forwarded
{{- end }}
{{- end }}
{{- if and .Values.families.kudo .Values.kudo.waiterImage }}
- {{ printf "--kudo-waiter-image=%s" .Values.kudo.waiterImage | quote }}
{{- end }}
{{- if .Values.dashboard.enabled }}
- --dashboard-port=8090
- --dashboard-host=0.0.0.0
- --dashboard-key=/etc/cutover/dashboard-key/key
{{- if .Values.dashboard.tlsSecretName }}
- --dashboard-certs=/etc/cutover/dashboard-tls
{{- end }}
{{- if .Values.dashboard.readOnly }}
- --dashboard-read-only
{{- end }}
{{- end }}
{{- if include "cutover.webhooks" . }}
- --webhook-port=9443
{{- if .Values.webhooks.tlsSecretName }}
- --webhook-certs=/etc/cutover/webhook-tls
{{- else }}
- --webhook-service={{ include "cutover.name" . }}-webhooks
{{- end }}
{{- end }}
{{- if or .Values.notify.secretName .Values.notify.config }}
- --notify=/etc/cutover/notify/notify.yaml
{{- end }}
{{- range $arg := .Values.extraArgs }}
- {{ $arg | quote }}
{{- end }}
{{- end -}}

{{/* What the operator reads of Flink's configuration only at its start: some keys, or all of it if it is told to read nothing again. */}}
{{- define "cutover.flinkAtStart" -}}
{{- $keys := .Files.Get "files/flink-config.yaml" | fromYaml -}}
{{- if contains "false" (include "cutover.flinkKeys" (list "" .Values.flink.config (list $keys.rereading)) | lower) -}}
{{- list .Values.flink.config .Values.flink.logFiles | toJson -}}
{{- else -}}
{{- include "cutover.flinkKeys" (list "" .Values.flink.config $keys.atStart) -}}
{{- end -}}
{{- end -}}

{{/* The chosen keys of a configuration, which may be nested, with their values: (list "" config keys). */}}
{{- define "cutover.flinkKeys" -}}
{{- $before := index . 0 -}}
{{- $chosen := index . 2 -}}
{{- range $key, $value := index . 1 -}}
{{- $name := printf "%s%s" $before $key -}}
{{- if kindIs "map" $value -}}
{{- include "cutover.flinkKeys" (list (printf "%s." $name) $value $chosen) -}}
{{- else if has $name $chosen -}}
{{- printf "%s: %s\n" $name (toJson $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Files that the container sees, as lines `name: volume`. The account's token is renewed by the kubelet long before it ends.
The mode is decimal, 288: 0440 is octal for some readers of YAML and 440 for others. */}}
{{- define "cutover.volumes" -}}
{{- $name := include "cutover.name" . -}}
{{ include "cutover.tokenVolume" . }}
- name: tmp
  emptyDir:
    sizeLimit: {{ .Values.tmp.sizeLimit | quote }}
{{- if and .Values.families.flink (or .Values.flink.config .Values.flink.logFiles) }}
- name: flink
  configMap:
    name: {{ $name }}-flink
{{- end }}
{{- if and .Values.families.cloudfoundry .Values.cloudfoundry.settings }}
- name: cloudfoundry
  configMap:
    name: {{ $name }}-cloudfoundry
{{- end }}
{{- if and .Values.families.cloudfoundry .Values.cloudfoundry.api.enabled .Values.cloudfoundry.api.tlsSecretName }}
- name: cf-api-tls
  secret:
    secretName: {{ .Values.cloudfoundry.api.tlsSecretName }}
    defaultMode: 288
{{- end }}
{{- if .Values.dashboard.enabled }}
- name: dashboard-key
  secret:
    secretName: {{ default (printf "%s-dashboard-key" $name) .Values.dashboard.keySecretName }}
    defaultMode: 288
{{- if .Values.dashboard.tlsSecretName }}
- name: dashboard-tls
  secret:
    secretName: {{ .Values.dashboard.tlsSecretName }}
    defaultMode: 288
{{- end }}
{{- end }}
{{- if and (include "cutover.webhooks" .) .Values.webhooks.tlsSecretName }}
- name: webhook-tls
  secret:
    secretName: {{ .Values.webhooks.tlsSecretName }}
    defaultMode: 288
{{- end }}
{{- if or .Values.notify.secretName .Values.notify.config }}
- name: notify
  secret:
    secretName: {{ default (printf "%s-notify" $name) .Values.notify.secretName }}
    defaultMode: 288
{{- end }}
{{- end -}}

{{- define "cutover.tokenVolume" -}}
- name: token
  projected:
    defaultMode: 288
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3600
      - configMap:
          name: kube-root-ca.crt
          items:
            - key: ca.crt
              path: ca.crt
      - downwardAPI:
          items:
            - path: namespace
              fieldRef:
                fieldPath: metadata.namespace
{{- end -}}

{{/* What Pod Security calls restricted, and more. */}}
{{- define "cutover.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "cutover.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop:
    - ALL
{{- end -}}
