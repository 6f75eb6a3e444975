{{/* What the pods of our Jobs have in common: as tame as those of the operator. */}}
{{- define "cutover.jobPod" -}}
restartPolicy: Never
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  {{- include "cutover.podSecurity" . | nindent 2 }}
{{- end -}}

{{/* Of their containers all but name and arguments. It ends with the mounts, so that others can follow. */}}
{{- define "cutover.jobContainer" -}}
image: {{ include "cutover.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.extraEnv }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
resources:
  requests:
    cpu: 50m
    memory: 128Mi
  limits:
    memory: 256Mi
securityContext:
  {{- include "cutover.containerSecurity" . | nindent 2 }}
volumeMounts:
  - name: token
    mountPath: /var/run/secrets/kubernetes.io/serviceaccount
    readOnly: true
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "cutover.jobVolumes" -}}
{{ include "cutover.tokenVolume" . }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- end -}}

{{/* The pod of the Job that makes what Cloud Foundry begins with. */}}
{{- define "cutover.cfRootPod" -}}
{{- $name := printf "%s-cf-root" (include "cutover.name" .) -}}
metadata:
  labels:
    app.kubernetes.io/name: cutover-cf-root
    app.kubernetes.io/instance: {{ .Release.Name | quote }}
spec:
  serviceAccountName: {{ $name }}
  {{- include "cutover.jobPod" . | nindent 2 }}
  containers:
    - name: create
      args:
        - install
        - create
        - --file=/etc/cutover/root/objects.json
      {{- include "cutover.jobContainer" . | nindent 6 }}
        - name: root
          mountPath: /etc/cutover/root
          readOnly: true
  volumes:
    {{- include "cutover.jobVolumes" . | nindent 4 }}
    - name: root
      configMap:
        name: {{ $name }}
{{- end -}}
