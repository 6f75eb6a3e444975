import { describe, expect, it } from 'vitest';
import type { Execution, Instance } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { workOn } from './step.ts';
import type { RandomKey } from './view.ts';
import { workOf } from './work-of.ts';

const version = {
  metadata: { name: 'v' },
  spec: {
    templates: {
      'random.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  value: "{{ randAlphaNum 8 }}"\n',
    },
    tasks: [{ name: 'random', kind: 'Apply', spec: { resources: ['random.yaml'] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'main', tasks: ['random'] }] }],
      },
    },
  },
} as unknown as OperatorVersion;
const instance = { metadata: { name: 'one', namespace: 'default', uid: 'u' }, spec: {} } as Instance;
const status = { execution: { uid: 'e', plan: 'deploy' } as Execution };

const lookedAt = (randomKey: RandomKey) => {
  const [step] = workOf({ instance, status, version, randomKey, waiterImage: 'busybox' });
  return step && workOn(step, { world: {}, outcomes: {}, now: 0, restarting: { executionUid: 'e' } });
};

describe('a plan whose random key is not to be had', () => {
  it('waits for one of another Instance to go, and looks again', () => {
    const step = lookedAt({ is: 'foreign', message: 'Secret k is to go first' });
    expect(step?.news).toEqual({ phase: 'main', step: 'main', at: 0, status: 'IN_PROGRESS' });
    expect(step).toMatchObject({ waitingFor: 'Secret k is to go first', unwatched: true, actions: [] });
  });

  it('shows an error that may pass if it cannot be read', () => {
    const step = lookedAt({ is: 'unreadable', message: 'Secret k: forbidden' });
    expect(step?.news.status).toBe('ERROR');
    expect(step?.news.message).toMatch(/transient error.*Secret k: forbidden$/);
    expect(step?.actions).toEqual([]);
  });
});
