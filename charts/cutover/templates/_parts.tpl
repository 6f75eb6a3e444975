{{/* What no schema can say. Included by what is always rendered, so that it is said before anything is applied. */}}
{{- define "cutover.checked" -}}
{{- $families := .Values.families -}}
{{- if not (or $families.flink $families.cloudfoundry $families.kudo) -}}
{{- fail "families: all are off, so there would be nothing to do; switch one on, for example families.flink=true" -}}
{{- end -}}
{{- if and $families.cloudfoundry .Values.watchNamespaces -}}
{{- fail "watchNamespaces: Cloud Foundry makes a namespace for each organization and space, so it cannot be kept to some; leave watchNamespaces empty or set families.cloudfoundry=false" -}}
{{- end -}}
{{- if and (gt (int64 .Values.shards) 1) (lt (int64 .Values.replicas) 2) -}}
{{- fail "shards: there is one replica, and nobody to share the work with; set replicas to 2 or more, or shards to 1" -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- fail "serviceAccount.name: name the account that is there already, or set serviceAccount.create=true" -}}
{{- end -}}
{{- if and $families.cloudfoundry .Values.cloudfoundry.root.create (eq (include "cutover.cfRoot" .) .Release.Namespace) -}}
{{- fail (printf "cloudfoundry.settings.rootNamespace: %s is the namespace of the release, which has rules of its own; choose another one, such as cf" .Release.Namespace) -}}
{{- end -}}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.service) -}}
{{- fail "metrics.serviceMonitor.enabled: it finds pods by the Service for Prometheus, which is off; set metrics.service=true" -}}
{{- end -}}
{{- include "cutover.rightsChecked" . -}}
{{- range $arg, $value := dict "--flink-rest" "flink.rest" "--flink-other-operator" "flink.otherOperator.namespace" -}}
{{- if contains $arg (join " " $.Values.extraArgs) -}}
{{- fail (printf "extraArgs: %s takes rights that come with the value; set %s instead" $arg $value) -}}
{{- end -}}
{{- end -}}
{{- /* Without Helm nobody looks which key is there: each text would have another one, and applying it would sign everybody out. */ -}}
{{- if and .Values.dashboard.enabled (not .Values.dashboard.keySecretName) (ne .Release.Service "Helm") -}}
{{- $key := printf "%s-dashboard-key" (include "cutover.name" .) -}}
{{- fail (printf "dashboard.keySecretName: without Helm the key of the dashboard has to be there already; make one (kubectl create secret generic %s -n %s --from-literal=key=$(openssl rand -hex 32)) and set dashboard.keySecretName=%s" $key .Release.Namespace $key) -}}
{{- end -}}
{{- include "cutover.labelsChecked" . -}}
{{- end -}}

{{/* Nothing is switched on that could not work for want of rights, and no role comes that nobody asked for. */}}
{{- define "cutover.rightsChecked" -}}
{{- $cf := .Values.cloudfoundry -}}
{{- if .Values.rbac.create -}}
{{- if not .Values.rbac.clusterScoped -}}
{{- if not .Values.watchNamespaces -}}
{{- fail "rbac.clusterScoped: in all namespaces every right is one of the cluster; name some in watchNamespaces, or set rbac.clusterScoped=true" -}}
{{- end -}}
{{- if and (include "cutover.webhooks" .) (not .Values.webhooks.tlsSecretName) -}}
{{- fail "rbac.clusterScoped: without it Cutover cannot have the certificates of its webhooks trusted; set webhooks.enabled=false, or name a Secret that somebody else keeps in webhooks.tlsSecretName" -}}
{{- end -}}
{{- if .Values.dashboard.enabled -}}
{{- fail "rbac.clusterScoped: without it the dashboard cannot ask who people are and what they may; set dashboard.enabled=false, or rbac.clusterScoped=true" -}}
{{- end -}}
{{- end -}}
{{- else if and .Values.families.cloudfoundry (or $cf.root.create $cf.userRoles) -}}
{{- fail "rbac.create: it is off, but the root namespace of Cloud Foundry and its users need roles; set cloudfoundry.root.create=false and cloudfoundry.userRoles=false, and have somebody apply what examples/cloudfoundry/install.yaml has" -}}
{{- end -}}
{{- end -}}

{{/* No label is given twice: Kubernetes would take the last one, and pods would not be found, or roles get what is not meant for them. */}}
{{- define "cutover.labelsChecked" -}}
{{- $metrics := .Values.metrics -}}
{{- $own := list "app.kubernetes.io/component" "helm.sh/chart" -}}
{{- range $name := list "name" "instance" "version" "managed-by" -}}
{{- $own = append $own (printf "app.kubernetes.io/%s" $name) -}}
{{- end -}}
{{- $given := dict
  "labels" .Values.labels
  "podLabels" .Values.podLabels
  "metrics.serviceMonitor.labels" $metrics.serviceMonitor.labels
  "metrics.prometheusRule.labels" $metrics.prometheusRule.labels
  "metrics.grafanaDashboard.labels" $metrics.grafanaDashboard.labels -}}
{{- range $value, $labels := $given -}}
{{- range $key, $_ := $labels -}}
{{- if or (has $key $own) (hasPrefix "rbac.authorization.k8s.io/aggregate-to-" $key) -}}
{{- fail (printf "%s: %s is a label that the chart gives itself; leave it out, or choose a key of your own" $value $key) -}}
{{- end -}}
{{- if and (ne $value "labels") (hasKey $.Values.labels $key) -}}
{{- fail (printf "%s: %s is in labels already, which are for all objects; leave it out of one of them" $value $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The names of the families that are on, as YAML. */}}
{{- define "cutover.families" -}}
{{- range $name := list "flink" "cloudfoundry" "kudo" }}
{{- if index $.Values.families $name }}
- {{ $name }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The parts of files/access.yaml that the operator needs, as YAML. The kinds that only packages need have a role of their own. */}}
{{- define "cutover.parts" -}}
- core
{{- /* Certificates that somebody else keeps ask for no rights. */}}
{{- if and (include "cutover.webhooks" .) (not .Values.webhooks.tlsSecretName) }}
- webhooks
{{- end }}
{{- if .Values.dashboard.enabled }}
- dashboard
{{- end }}
{{- if or .Values.notify.secretName .Values.notify.config }}
- notify
{{- end }}
{{- if and .Values.uninstall.hook .Values.watchNamespaces (not .Values.observeOnly) }}
- uninstall
{{- end }}
{{- include "cutover.families" . }}
{{- if and .Values.families.flink (eq .Values.flink.rest "proxy") }}
- flinkProxy
{{- end }}
{{- if and .Values.families.cloudfoundry .Values.cloudfoundry.api.enabled }}
- cloudfoundryApi
{{- end }}
{{- end -}}

{{/* The rules of some parts in one place: (list . parts "watched"). Nothing when there are none. */}}
{{- define "cutover.rules" -}}
{{- $top := index . 0 -}}
{{- $where := index . 2 -}}
{{- $webhooks := printf "%s-webhooks" (include "cutover.name" $top) -}}
{{- $text := $top.Files.Get "files/access.yaml" | replace "WEBHOOK_SERVICE" $webhooks | replace "WEBHOOK_CONFIGURATION" $webhooks -}}
{{- $access := fromYaml $text -}}
{{- range $part := index . 1 }}
{{- if hasKey $access $part }}
{{- $grants := index $access $part }}
{{- if hasKey $grants $where }}
{{- range $rule := index $grants $where }}
- {{ toJson $rule | replace "[\"WATCH_NAMESPACES\"]" (toJson $top.Values.watchNamespaces) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
