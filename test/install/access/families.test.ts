import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../../src/clock/real.ts';
import type { Grant } from '../../../src/control/access.ts';
import { openPki, type Pki } from '../../../src/embedded/auth/pki.ts';
import { accessParts } from '../../../src/main/access.ts';
import { simulate } from '../../simulation/simulate.ts';
import type { Subject } from '../../simulation/subject.ts';
import { blueGreen, subjects } from '../../simulation/subjects.ts';
import { type Asked, askedOf } from './asked.ts';
import { isGranted, right, rightsIn, withCompanions } from './granted.ts';
import { unplayed } from './unplayed.ts';

const { core, flink, flinkProxy, kudo, kudoPackages, cloudfoundry } = accessParts;
const root = join(import.meta.dirname, '..', '..', '..');
const called = (name: string): Subject => subjects.find((subject) => subject.name === name) ?? blueGreen;

const families: readonly (readonly [string, readonly Subject[], readonly Grant[]])[] = [
  ['flink', [called('flink'), blueGreen], [...flink, ...flinkProxy]],
  ['kudo', [called('kudo')], [...kudo, ...kudoPackages]],
  ['cloudfoundry', [called('cloudfoundry')], cloudfoundry],
];

/** Nothing that is asked here needs a right: everybody may ask who they are. */
const free = new Set(['create authentication.k8s.io/selfsubjectreviews']);

describe.each(families)('what %s asks of the API server', (family, played, grants) => {
  const asked: Asked[] = [];
  let pki: Pki;
  beforeAll(async () => {
    pki = await openPki({ clock: realClock });
    for (const subject of played) {
      for (const workload of subject.workloads) {
        const plan = { subject: subject.name, workload, seed: 1, faults: {} };
        const { calls } = await simulate(subject, plan, pki, {
          quietMs: 60_000,
          send: (request) => {
            asked.push(...askedOf(request));
            return request;
          },
        });
        expect(calls.length).toBeGreaterThan(10);
      }
    }
  }, 600_000);

  it('is granted, all of it', () => {
    const lacking = asked.filter((one) => !isGranted([...grants, ...core], one) && !free.has(right(one)));
    expect([...new Set(lacking.map((one) => `${right(one)} in ${one.namespace || 'the cluster'}`))]).toEqual([]);
  });

  it('is all that is granted, but for what is listed with its reason', () => {
    const used = withCompanions(new Set(asked.map(right)));
    const unused = rightsIn(grants).filter((one) => !used.has(one));
    const reasons = unplayed[family] ?? [];
    const unexplained = unused.filter((one) => !reasons.some(([pattern]) => pattern.test(one)));
    expect(unexplained).toEqual([]);
    // A reason that explains nothing any more is left over.
    const idle = reasons.filter(([pattern]) => !unused.some((one) => pattern.test(one)));
    expect(idle.map(([pattern]) => String(pattern))).toEqual([]);
    const missing = reasons.filter(([, , test]) => test !== undefined && !existsSync(join(root, test)));
    expect(missing.map(([, , test]) => test)).toEqual([]);
  });
});
