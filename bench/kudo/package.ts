import type { AnyObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../src/kudo/resources/operator-version.ts';

export const namespace = 'default';
const version = 'settings-0.1.0';

/** The parameter that is changed again and again. */
export const parameter = 'VALUE';

const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}
data:
  value: "{{ .Params.${parameter} }}"
`;

/** An operator that applies nothing but a ConfigMap: what a plan costs by itself. */
export const settingsVersion = {
  apiVersion: operatorVersion.apiVersion,
  kind: operatorVersion.type.kind,
  metadata: { name: version, namespace },
  spec: {
    operator: { name: 'settings' },
    version: '0.1.0',
    parameters: [{ name: parameter, default: '0' }],
    templates: { 'config-map.yaml': template },
    tasks: [{ name: 'apply', kind: 'Apply', spec: { resources: ['config-map.yaml'] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'only', strategy: 'serial', steps: [{ name: 'apply', tasks: ['apply'] }] }],
      },
    },
  },
} as unknown as AnyObject;

export function settingsInstance(name: string): AnyObject {
  return {
    apiVersion: instance.apiVersion,
    kind: instance.type.kind,
    metadata: { name, namespace },
    // As KUDO's command line writes it, which asks for the first plan itself.
    spec: { operatorVersion: { name: version }, planExecution: { planName: 'deploy' } },
  } as unknown as AnyObject;
}
