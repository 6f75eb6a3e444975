import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Family } from '../../src/portrait/family.ts';
import { podPortrait } from '../../src/portrait/of-pod.ts';
import type { Plan } from '../../src/portrait/plan.ts';
import type { Phase, Summary } from '../../src/portrait/summary.ts';
import type { Around, Workload } from '../../src/portrait/workload.ts';

/** A kind that is as small as a workload can be: it sails at a speed, and pods named after it are its crew. */
export const boats: ResourceType = {
  group: 'toy.cutover.dev',
  version: 'v1',
  kind: 'Boat',
  plural: 'boats',
  namespaced: true,
};

export const boatDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.toy.cutover.dev' },
  spec: {
    group: boats.group,
    names: { kind: 'Boat', listKind: 'BoatList', plural: 'boats', singular: 'boat' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { speed: { type: 'integer', minimum: 0 }, flag: { type: 'string' } },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
} as KubeObject;

export function boat(namespace: string, name: string, speed = 1): KubeObject {
  return {
    apiVersion: 'toy.cutover.dev/v1',
    kind: 'Boat',
    metadata: { namespace, name },
    spec: { speed },
  } as KubeObject;
}

function specOf(object: AnyObject): { readonly speed?: number; readonly flag?: string } {
  return (object.spec ?? {}) as { speed?: number };
}

function statusOf(object: AnyObject): { readonly phase?: Phase; readonly needsYou?: string; readonly note?: string } {
  return (object.status ?? {}) as object;
}

function summarize(object: AnyObject): Summary {
  const { namespace = '', name = '', uid = '' } = object.metadata;
  const { phase = 'healthy', needsYou } = statusOf(object);
  const { speed = 0 } = specOf(object);
  return {
    subject: { family: 'toy', apiVersion: 'toy.cutover.dev/v1', kind: 'Boat', namespace, name, uid },
    phase,
    headline: `sails at ${speed}`,
    serving: `${speed} knots`,
    inTransition: phase === 'progressing',
    ...(needsYou !== undefined && { needsYou }),
  };
}

const workload: Workload = {
  type: boats,
  words: ['boat'],
  beside: [kinds.pods],
  summarize,
  portray(object, around) {
    const pods = (around.list(kinds.pods) ?? []).filter((pod) => this.claims(pod, around) === object.metadata.name);
    const portraits = pods.map((pod) => podPortrait(pod));
    const answer = around.list(kinds.pods) === undefined ? 'its crew cannot be seen' : `${pods.length} of crew`;
    return {
      ...summarize(object),
      answers: { serves: answer, changing: '-', progress: statusOf(object).note ?? '-', ifStopped: '-', next: '-' },
      sides: [],
      steps: [],
      deadlines: [],
      tree: {
        kind: 'Boat',
        name: object.metadata.name ?? '',
        phase: 'healthy',
        status: '',
        children: portraits.map(({ name, phase, status }) => ({ kind: 'Pod', name, phase, status, children: [] })),
      },
      pods: portraits,
      facts: [],
      conditions: [],
      history: [],
    };
  },
  plan({ before, after }, around): Plan {
    const [from, to] = [before && specOf(before).speed, specOf(after).speed];
    const changed = from !== to;
    return {
      subject: summarize(after).subject,
      risk: changed ? 'restart' : 'none',
      line: changed ? `goes from ${from ?? 'nothing'} to ${to}` : 'nothing changes',
      changes: changed ? [{ path: 'spec.speed', to: String(to), demands: 'restart' }] : [],
      steps: [],
      restarts: [
        {
          kind: 'Boat',
          name: '',
          pods: (around.list(kinds.pods) ?? []).map(({ metadata }) => metadata.name ?? ''),
          because: '',
        },
      ],
      state: { outcome: 'none', sentence: '' },
      availability: { serves: 'throughout', sentence: '' },
      undo: { possible: true, sentence: '' },
      warnings: [],
      problems: [],
    };
  },
  verbs: [
    {
      name: 'restart',
      summary: 'turn it around',
      request: ({ metadata: { namespace = '', name = '', uid = '' } }, _around, { id }) => ({
        is: 'writes',
        writes: [
          {
            do: 'patch',
            type: boats,
            namespace,
            name,
            patch: [
              { op: 'test', path: '/metadata/uid', value: uid },
              { op: 'add', path: '/spec/flag', value: id },
            ],
          },
        ],
        said: 'it turns around',
        stake: { what: 'availability', question: 'Turn it around?' },
      }),
    },
    {
      name: 'abort',
      summary: 'give up',
      request: () => ({ is: 'refused', why: 'Nothing is being changed.' }),
    },
  ],
  claims: (pod: AnyObject, _around: Around) => pod.metadata.labels?.boat,
  graph: (object) => ({
    nodes: [{ id: 'boat', type: 'workload', label: object.metadata.name ?? '' }],
    edges: [],
  }),
};

/** The whole family. */
export const toys: Family = {
  name: 'toy',
  kinds: [{ type: boats, definition: boatDefinition }],
  validate: () => [],
  workloads: [workload],
  commands: [],
};
