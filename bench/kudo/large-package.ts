/** Templates and parameters as a large operator has them. */
export interface LargePackage {
  readonly templates: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

const [templateCount, parameterCount] = [28, 250];

/**
 * Made by rule, of what templates of the great stateful operators consist of: long files of settings, one parameter a line,
 * many of them under a condition; workloads with defaults, quotes, indents and arithmetic; lists that are ranged over.
 */
export function largePackage(): LargePackage {
  const names = Array.from({ length: parameterCount }, (_, at) => `PARAMETER_${at}`);
  const parameters = Object.fromEntries(names.map((name, at) => [name, at % 5 === 0 ? 'true' : `value-${at}`]));
  const templates = Array.from({ length: templateCount }, (_, at) => {
    const own = names.filter((_, index) => index % templateCount === at);
    const text = at % 3 === 0 ? workload(at, own) : settings(at, names.slice(at * 4, at * 4 + 60));
    return [`template-${at}.yaml`, text] as const;
  });
  return { templates: Object.fromEntries(templates), parameters };
}

function settings(at: number, names: readonly string[]): string {
  const lines = names.map((name, index) =>
    index % 3 === 0
      ? `    {{ if eq .Params.${name} "true" }}\n    enabled.${index}=yes\n    {{ else }}\n    option.${index}={{ .Params.${name} }}\n    {{ end }}`
      : `    option.${index}={{ .Params.${name} }}`,
  );
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-settings-${at}
  namespace: {{ .Namespace }}
data:
  file: |
${lines.join('\n')}
`;
}

function workload(at: number, names: readonly string[]): string {
  const variables = names.map(
    (name) => `        - name: ${name}
          value: {{ .Params.${name} | default "none" | quote }}`,
  );
  return `{{- $size := mul ${at + 1} 1024 -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}-node-${at}
  namespace: {{ .Namespace }}
  labels:
    app: {{ .OperatorName | lower | trunc 20 }}
spec:
  serviceName: {{ .Name }}-svc
  replicas: {{ add ${at} 1 }}
  selector:
    matchLabels:
      app: {{ printf "%s-%d" .Name ${at} }}
  template:
    spec:
      containers:
      - name: main
        image: "{{ .OperatorName }}:{{ .AppVersion }}"
        env:
${variables.join('\n')}
        {{- range $index, $part := splitList "," "a,b,c,d,e,f" }}
        - name: PART_{{ $index }}
          value: {{ $part | upper | quote }}
        {{- end }}
        resources:
          requests:
            memory: {{ $size }}Mi
{{ "preStop: [sh, -c, exit]" | indent 8 }}
`;
}
