import { expect, it } from 'vitest';
import { familySources } from '../../src/main/family-sources.ts';

it.each(familySources)('what lists know of $name is what the family says', async ({ name, group, kinds, load }) => {
  const family = await load();
  expect(family.name).toBe(name);
  expect(kinds.map(({ type, words }) => ({ type, words }))).toEqual(
    family.workloads.map(({ type, words }) => ({ type: { ...type }, words })),
  );
  for (const { type, summarizer } of kinds) {
    expect(type.group).toBe(group);
    const workload = family.workloads.find((one) => one.type.kind === type.kind);
    const metadata = { namespace: 'default', name: 'a', uid: 'u', creationTimestamp: '2030-01-01T00:00:00Z' };
    const object = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata, spec: {} };
    expect((await summarizer())(object)).toEqual(workload?.summarize(object));
  }
});
