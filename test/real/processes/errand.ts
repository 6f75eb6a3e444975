import type { AnyObject } from '../../../src/kube/object.ts';

const apiVersion = 'kudo.dev/v1beta1';
const packageName = 'errand-0.1.0';

const note = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}
data:
  round: "{{ .Params.ROUND }}"
`;

/**
 * A package whose plan removes a ConfigMap and makes it anew. What is done twice cannot hide behind an apply that changes
 * nothing: it would be made twice.
 */
export function errandPackage(namespace: string): AnyObject {
  return {
    apiVersion,
    kind: 'OperatorVersion',
    metadata: { name: packageName, namespace },
    spec: {
      operator: { name: 'errand' },
      version: '0.1.0',
      parameters: [{ name: 'ROUND', default: '1' }],
      templates: { 'note.yaml': note },
      tasks: [
        { name: 'forget', kind: 'Delete', spec: { resources: ['note.yaml'] } },
        { name: 'write', kind: 'Apply', spec: { resources: ['note.yaml'] } },
      ],
      plans: {
        deploy: {
          strategy: 'serial',
          phases: [
            {
              name: 'errand',
              strategy: 'serial',
              steps: [
                { name: 'forget', tasks: ['forget'] },
                { name: 'write', tasks: ['write'] },
              ],
            },
          ],
        },
      },
    },
  };
}

export function errand(namespace: string, name: string): AnyObject {
  return {
    apiVersion,
    kind: 'Instance',
    metadata: { name, namespace },
    spec: { operatorVersion: { name: packageName }, parameters: { ROUND: '1' } },
  };
}

/** A package that nobody runs, and that takes room wherever it is kept. */
export function heavyPackage(namespace: string, name: string, bytes: number): AnyObject {
  const errandLike = errandPackage(namespace);
  // Text that cannot be shared between objects, nor be stored in one byte per character.
  const text = `# ${name} ${'ж'.repeat(Math.ceil(bytes / 2))}\n`;
  const spec = errandLike.spec as { readonly templates: object };
  return {
    ...errandLike,
    metadata: { name, namespace },
    spec: { ...spec, templates: { ...spec.templates, 'heavy.yaml': text } },
  };
}
