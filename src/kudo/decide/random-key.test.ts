import { expect, it } from 'vitest';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';
import { sealer } from '../../control/sealed.ts';
import type { Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { begin } from './execution.ts';
import { decideInstance } from './instance.ts';
import type { InstanceView } from './view.ts';

const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v', namespace: 'default' },
  spec: {
    tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['random.yaml'] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['all'] }] }],
      },
    },
  },
} as unknown as OperatorVersion;
const accepted = { operatorVersion: { name: 'v' }, parameters: {} };
const now = Date.parse('2026-11-01T10:00:00Z');

function decided(outcomes: Outcomes, later = 0) {
  const beginning = { plan: 'deploy', cause: 'install', changed: [], forced: true, accepted } as const;
  const instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'one', namespace: 'default', uid: 'i-1', resourceVersion: '1', generation: 1 },
    spec: { operatorVersion: { name: 'v' } },
    status: begin({}, beginning, { instanceUid: 'i-1', generation: 1, version, now }),
  } as Instance;
  const view: InstanceView = {
    instance,
    versions: { wanted: version, accepted: version },
    work: [],
    world: {},
    belongings: { applied: {}, workloads: [] },
    randomKey: { is: 'fresh', value: sealer(new Uint8Array(32))('key') },
    outcomes,
    now: now + later,
  };
  return decideInstance(view);
}

it('a key that may not be kept is told of, and tried again', () => {
  const [create] = decided({}).actions;
  if (create?.do !== 'create') return expect.fail('no key is kept');
  const at = now + 1000;
  const refused = {
    result: 'refused',
    at,
    since: at,
    of: actionDigest(create),
    message: 'secrets is forbidden',
  } as const;
  const outcomes = { [outcomeId(create)]: refused };
  const { actions, wakeAt } = decided(outcomes, 1500);
  const [written, ...others] = actions;
  if (written?.do !== 'status') return expect.fail('nothing is told');
  const [phase] = (written.status as InstanceStatus).planStatus?.deploy?.phases ?? [];
  expect(phase?.steps?.[0]).toMatchObject({
    status: 'ERROR',
    message: expect.stringContaining('secrets is forbidden'),
  });
  expect(others).toEqual([]);
  expect(wakeAt).toBe(now + 2000);
  expect(decided(outcomes, 2000).actions.map((action) => action.do)).toEqual(['status', 'create']);
});
