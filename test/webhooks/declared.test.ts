import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/clock/real.ts';
import { cloudFoundryHooks } from '../../src/cloudfoundry/admission/hooks.ts';
import { cloudFoundryFamily } from '../../src/cloudfoundry/family.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { Hook } from '../../src/control/webhooks/admission.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkFamily, flinkHooks } from '../../src/flink/family.ts';
import { Client } from '../../src/kube/client.ts';
import { inProcess } from '../../src/kube/in-process-transport.ts';
import { kudoHooks } from '../../src/kudo/admission/kudo-hooks.ts';
import { kudoFamily } from '../../src/kudo/family.ts';
import { declaredHooks } from '../../src/main/declared-hooks.ts';
import { type FamilyName, familyNames } from '../../src/main/families.ts';
import { entries } from './configurations.ts';

const flink = flinkFamily(defaultOperatorConfig);
const nobody = new Client(inProcess(() => Promise.reject(new Error('nobody is asked'))));
const families = { flink, cloudfoundry: cloudFoundryFamily, kudo: kudoFamily };

/** What each family really serves. */
const served: Readonly<Record<FamilyName, Readonly<Record<string, Hook>>>> = {
  flink: flinkHooks(flink, { find: () => 'unknown' }),
  cloudfoundry: cloudFoundryHooks({
    family: cloudFoundryFamily,
    settings: defaultSettings,
    clock: realClock,
    known: () => [],
  }),
  kudo: kudoHooks({ client: nobody, caches: () => undefined }),
};

describe.each(familyNames)('the webhooks of %s', (family) => {
  const declared = declaredHooks[family];

  it('are declared if they are served, and served if they are declared, as what they are', () => {
    const kindOf = (hook: Hook): string => ('validate' in hook ? 'validating' : 'mutating');
    const really = Object.entries(served[family]).map(([path, hook]) => `${kindOf(hook)} ${path}`);
    expect(declared.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual(really.sort());
  });

  it('are asked about kinds of the family, in the version that is installed', () => {
    const own = families[family].kinds.map(({ type }) => type);
    for (const { types } of declared) for (const type of types) expect(own).toContainEqual(type);
  });
});

describe('what is installed', () => {
  const all = entries();

  it('is all that is declared, each under a name of its own', () => {
    const names = Object.values(declaredHooks).flatMap((hooks) => hooks.map(({ name }) => name));
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+){2,}$/);
    expect(new Set(all.map(({ path }) => path)).size).toBe(names.length);
  });

  it.each(all.map((entry) => [entry.name, entry] as const))('%s can block no repair', (_, entry) => {
    expect(entry).toMatchObject({ failurePolicy: 'Ignore', sideEffects: 'None', matchPolicy: 'Equivalent' });
    expect(entry.timeoutSeconds).toBeLessThanOrEqual(5);
    for (const { operations, resources } of entry.rules) {
      expect(operations).not.toContain('DELETE');
      for (const resource of resources) expect(resource).not.toMatch(/[/*]/);
    }
  });
});
