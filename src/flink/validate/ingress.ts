import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { type Rule, short, shown } from './rule.ts';

/** Whatever may have an ingress. */
interface Reachable {
  readonly resource: KubeObject;
  readonly spec: Pick<FlinkDeploymentSpec, 'ingress'>;
}

export const ingressRules: readonly Rule<Reachable>[] = [
  {
    rule: 'ingress-template',
    field: 'spec.ingress.template',
    says: 'An ingress has a template.',
    check: ({ spec: { ingress } }) =>
      ingress && !ingress.template?.trim()
        ? `Ingress template must be defined: spec.ingress.template is ${shown(ingress.template)}. Write host and path, such as "{{name}}.{{namespace}}.example.com" or "/{{namespace}}/{{name}}(/|$)(.*)", or remove spec.ingress.`
        : undefined,
  },
  {
    rule: 'ingress-template-url',
    field: 'spec.ingress.template',
    says: 'With its placeholders replaced, the template of an ingress is a host, a path, or both.',
    check({ resource: { metadata }, spec: { ingress } }) {
      const template = ingress?.template?.trim();
      if (!template) return undefined;
      const why = templateFault(filledTemplate(template, metadata));
      return (
        why &&
        `Unable to process the Ingress template(${short(template)}). Error: ${why}. Write spec.ingress.template as HOST, HOST/PATH or /PATH; {{name}} and {{namespace}} are replaced.`
      );
    },
  },
];

/** A template with its placeholders replaced. */
export function filledTemplate(template: string, { name = 'name', namespace = 'namespace' }: ObjectMeta): string {
  return template.replaceAll(/\{\{name\}\}/gi, () => name).replaceAll(/\{\{namespace\}\}/gi, () => namespace);
}

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);

/** Why no host and path can be read from a template; Kubernetes refuses the Ingress for the same. */
export function templateFault(text: string): string | undefined {
  const [all = '', scheme, host = '', port] = /^(?:(\w[\w+.-]*):\/\/)?([^/:]*)(?::([^/]*))?/.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return `${shown(scheme)} is not the scheme of a web page`;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) return `${shown(port)} is not a port`;
  if (host === '' && text[all.length] !== '/') return 'it is neither a host nor a path';
  const left = /\{\{.*?\}\}/.exec(text);
  if (left) return `${shown(left[0])} is not a placeholder`;
  if (host !== '' && (host.length > 253 || !hostName.test(host))) return `${shown(host)} is not the name of a host`;
  return /\s/.test(text) ? 'it has a space in it' : undefined;
}
