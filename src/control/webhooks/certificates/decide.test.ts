import { describe, expect, it } from 'vitest';
import { decideCertificates } from './decide.ts';
import type { Authority, CertificatesView, Kept, Leaf } from './view.ts';

const day = 24 * 3600 * 1000;
const now = Date.UTC(2030, 0, 1);
const lifetimes = { authorityMs: 360 * day, leafMs: 90 * day, settleMs: 600_000, graceMs: day };

/** Begun so many days ago. */
const authority = (pem: string, age: number): Authority => ({
  pem,
  from: now - age * day,
  until: now + (360 - age) * day,
});
const leaf = (by: Authority | undefined, age: number, more: Partial<Leaf> = {}): Leaf => ({
  from: now - age * day,
  until: now + (90 - age) * day,
  named: true,
  ...(by && { authority: by }),
  ...more,
});

const old = authority('OLD', 100);
const young = authority('NEW', 1);
const sound: Kept = { authorities: [old], signer: old, leaf: leaf(old, 10) };
const overlapping: Kept = { authorities: [old, young], signer: young, leaf: leaf(old, 10) };

function decided(kept: Kept, more: Partial<CertificatesView> = {}) {
  const bundle = kept.authorities.map(({ pem }) => pem).join('');
  const carriers = [
    { kind: 'validating', bundles: [bundle, bundle] },
    { kind: 'mutating', bundles: [bundle] },
  ] as const;
  return decideCertificates({ now, kept, carriers, carriedForMs: 0, ...more }, lifetimes);
}

describe('certificates that are as they should be', () => {
  it('are left alone until two thirds of their time are over', () => {
    expect(decided(sound)).toEqual({ actions: [], wakeAt: now + 50 * day });
  });

  it('are left alone when nobody has installed a configuration', () => {
    expect(decided(sound, { carriers: [] }).actions).toEqual([]);
  });
});

describe('a configuration', () => {
  it.each([
    ['whose caBundle is empty', ['', 'OLD']],
    ['that trusts another', ['OTHER', 'OTHER']],
    ['that trusts one too many', ['OLDNEW', 'OLD']],
  ])('%s is mended, and only that', (_, bundles) => {
    const carriers = [
      { kind: 'validating', bundles },
      { kind: 'mutating', bundles: ['OLD'] },
    ] as const;
    expect(decided(sound, { carriers }).actions).toEqual([{ do: 'carry', kind: 'validating', bundle: 'OLD' }]);
  });

  it('is not made to trust nobody when there is no Secret', () => {
    const carriers = [{ kind: 'validating', bundles: ['OLD'] }] as const;
    expect(decided({ authorities: [] }, { carriers }).actions.map((one) => one.do)).toEqual(['renew']);
  });
});

describe('a certificate that nobody can trust is replaced at once', () => {
  it.each<[string, Kept]>([
    ['there is none', { ...sound, leaf: undefined } as unknown as Kept],
    ['for another Service', { ...sound, leaf: leaf(old, 10, { named: false }) }],
    ['of an authority that is lost', { ...sound, leaf: leaf(undefined, 10) }],
    ['that has ended', { ...sound, leaf: leaf(old, 91) }],
    ['that begins in the future', { ...sound, leaf: leaf(old, -1) }],
  ])('%s: signed by the authority that is there', (_, kept) => {
    expect(decided(kept).actions).toEqual([
      expect.objectContaining({
        do: 'renew',
        authorities: [old],
        leaf: { from: now, until: now + 90 * day, by: old },
      }),
    ]);
  });

  it.each<[string, Kept]>([
    ['nothing is there', { authorities: [] }],
    ['the key of the authority is lost', { authorities: [old] }],
    ['the authority has ended', { authorities: [authority('ENDED', 360)], signer: authority('ENDED', 360) }],
    ['the authority begins in the future', { authorities: [authority('F', -2)], signer: authority('F', -2) }],
  ])('%s: with a new authority', (_, kept) => {
    const [action, ...further] = decided(kept).actions;
    expect(further).toEqual([]);
    expect(action).toMatchObject({
      authorities: kept.authorities,
      authority: { from: now, until: now + 360 * day },
      leaf: { from: now, until: now + 90 * day },
    });
    expect(action).not.toHaveProperty('leaf.by');
  });

  it('even while a new authority is not trusted yet', () => {
    const kept = { ...overlapping, leaf: leaf(old, 91) };
    expect(decided(kept).actions).toMatchObject([{ do: 'renew', leaf: { by: young } }]);
  });
});

describe('a certificate that grows old', () => {
  it('is renewed by the same authority without waiting for anybody', () => {
    expect(decided({ ...sound, leaf: leaf(old, 60) }).actions).toMatchObject([
      { do: 'renew', authorities: [old], leaf: { from: now, until: now + 90 * day, by: old } },
    ]);
    expect(decided({ ...sound, leaf: leaf(old, 59) }).actions).toEqual([]);
  });

  it('never outlives its authority', () => {
    const aged = { ...old, until: now + 30 * day, from: now - 20 * day };
    const kept = { authorities: [aged], signer: aged, leaf: leaf(aged, 60) };
    expect(decided(kept).actions).toMatchObject([{ leaf: { until: now + 30 * day } }]);
  });
});

describe('an authority that grows old', () => {
  const aged = authority('AGED', 240);

  it('gets a successor, and what is served stays', () => {
    const [action] = decided({ authorities: [aged], signer: aged, leaf: leaf(aged, 10) }).actions;
    expect(action).toMatchObject({ authorities: [aged], authority: { until: now + 360 * day } });
    expect(action).not.toHaveProperty('leaf');
  });

  it('gets a successor when its key is lost', () => {
    const [action] = decided({ authorities: [old], leaf: leaf(old, 10) }).actions;
    expect(action).toMatchObject({ authorities: [old], authority: {} });
    expect(action).not.toHaveProperty('leaf');
  });

  it('goes on until every configuration has trusted the successor for long enough', () => {
    const carriers = [
      { kind: 'validating', bundles: ['OLDNEW'] },
      { kind: 'mutating', bundles: ['OLD'] },
    ] as const;
    expect(decided(overlapping, { carriers, carriedForMs: 1e9 }).actions).toEqual([
      { do: 'carry', kind: 'mutating', bundle: 'OLDNEW' },
    ]);
    expect(decided(overlapping, { carriedForMs: 599_999 })).toMatchObject({ actions: [], wakeInMs: 1 });
    expect(decided(overlapping, { carriedForMs: 600_000 }).actions).toMatchObject([
      { do: 'renew', authorities: [old, young], leaf: { by: young } },
    ]);
  });

  it('stays trusted until it has ended, for somebody may still show what it signed', () => {
    const ended = (ago: number): Authority => ({ ...authority('ENDED', 360), until: now - ago });
    const kept = (one: Authority): Kept => ({ authorities: [one, young], signer: young, leaf: leaf(young, 1) });
    expect(decided(kept(ended(day - 1))).actions).toEqual([]);
    expect(decided(kept(ended(day - 1))).wakeAt).toBe(now + 1);
    expect(decided(kept(ended(day))).actions).toEqual([
      { do: 'renew', authorities: [young], why: 'an authority has ended' },
    ]);
  });

  it('is one of few, however often clocks jumped, and the one that is needed is among them', () => {
    const many = Array.from({ length: 9 }, (_, n) => authority(`A${n}`, 100));
    const needed = many[0] as Authority;
    const [action] = decided({ authorities: many, leaf: leaf(needed, 10) }).actions;
    expect(action).toMatchObject({ authorities: [needed, many[6], many[7], many[8]] });
  });
});
