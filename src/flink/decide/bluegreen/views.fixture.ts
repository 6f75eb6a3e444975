import fc from 'fast-check';
import type { BlueGreenView, IngressSeen, SideSeen } from '../../blue-green-view.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import {
  type BlueGreenTransition,
  blueGreenCauses,
  blueGreenPhases,
  type Color,
  colors,
} from '../../resources/blue-green-transition.ts';
import { blueGreenStates } from '../../resources/flink-blue-green-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { other, type Spec, type Status } from './blue-green-case.ts';
import { savepointName, savepointObject } from './savepoint-object.ts';
import { isAhead } from './traffic.ts';
import {
  configured,
  edited,
  flinkConfigured,
  type HealthName,
  healths,
  image,
  ingressed,
  ingressSeen,
  job,
  name,
  patchable,
  resourceOf,
  servingStatus,
  sideSeen,
  start,
  stateful,
  stateless,
  uid,
  viewOf,
} from './view.fixture.ts';

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

/** Leaves out what is undefined, as JSON does. */
function present<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

const hostile = fc.constantFrom('', '__proto__', 'constructor', '\u0000', '{"type":"a"}', 'é\u2028'.repeat(400));
const at = fc.constantFrom(
  ...[-3_600_000, -600_000, -5_000, 0, 1_000, 600_000].map((ms) => new Date(start + ms).toISOString()),
  'never',
);
const ids = fc.constantFrom(`${uid}-1`, `${uid}-2`);
const nonce = maybe(fc.constantFrom(1, 2));

/** Specs that differ in what matters: diff types, upgrade modes, settings. */
export const specs: fc.Arbitrary<Spec> = fc
  .record({
    base: fc.constantFrom(stateful, stateless),
    image: fc.constantFrom('app:1', 'app:2'),
    patch: maybe(fc.constant('3')),
    state: maybe(fc.constantFrom('running' as const, 'suspended' as const)),
    savepointRedeployNonce: nonce,
    statelessRedeployNonce: nonce,
    initialSavepointPath: maybe(fc.constantFrom('s3://mine', 's3://other')),
    claim: fc.boolean(),
    ingress: fc.boolean(),
    settings: fc.subarray<[string, string]>([
      ['promotion', 'manual'],
      ['promotion.hold', '10 s'],
      ['deployment-deletion.delay', '5 s'],
      ['rollback-window', '1 h'],
      ['abort.action', 'suspend'],
      ['unhealthy.policy', 'last-checkpoint'],
      ['preview-ingress', 'true'],
    ]),
  })
  .map(({ base, image: name, patch, claim, ingress, settings, ...fields }) =>
    edited(
      base,
      image(name),
      job(fields),
      ...(patch === undefined ? [] : [patchable(patch)]),
      ...(claim ? [flinkConfigured({ 'execution.state-recovery.claim-mode': 'CLAIM' })] : []),
      ...(ingress ? [ingressed('/{{name}}')] : []),
      ...(settings.length > 0 ? [configured(Object.fromEntries(settings))] : []),
    ),
  );

/** What nobody should be able to write, and somebody has. */
const oddSpecs: fc.Arbitrary<Spec> = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { template: null },
    { template: { spec: null } },
    { template: { spec: { job: 7 } } },
    [],
  ),
  hostile.map((text) => edited(stateful, image(text), ingressed(text), configured({ [text]: text }))),
  hostile.map((text) => edited(stateful, job({ initialSavepointPath: text, savepointRedeployNonce: 9 }))),
) as fc.Arbitrary<Spec>;

const texts = fc.oneof(
  { weight: 8, arbitrary: specs.map(blueGreenSpecCodec.write) },
  { weight: 1, arbitrary: hostile },
);

const side = (color: Color, spec: Spec): fc.Arbitrary<SideSeen | undefined> =>
  maybe(
    fc
      .record({
        spec: fc.oneof(fc.constant(spec), specs),
        health: fc.constantFrom(...(Object.keys(healths) as HealthName[])),
        owners: fc.constantFrom([uid], [uid], [uid], ['stranger'], []),
        id: fc.constantFrom(`${uid}-1`, `${uid}-2`, undefined),
        terminating: fc.constantFrom(false, false, true),
        generation: fc.constantFrom(1, 2),
        sideUid: fc.constantFrom('1', '2'),
        kept: maybe(ids),
        error: maybe(hostile),
        left: maybe(fc.constantFrom('s3://cp/1', 'KUBERNETES_OPERATOR_LAST_STATE')),
      })
      .map(({ spec: own, health, sideUid, kept, error, left, ...more }) => {
        const made = sideSeen(color, own, health, more);
        const { jobStatus } = made.status;
        return {
          ...made,
          ref: { ...made.ref, uid: `${color.toLowerCase()}-${sideUid}` },
          terminatingSince: more.terminating ? start - 200_000 : undefined,
          annotations: { ...made.annotations, ...(kept && { 'cutover.dev/kept': kept }) },
          status: present({ ...made.status, error, jobStatus: present({ ...jobStatus, upgradeSavepointPath: left }) }),
        } as SideSeen;
      }),
  );

const transition: fc.Arbitrary<BlueGreenTransition> = fc
  .record({
    id: ids,
    cause: fc.constantFrom(...blueGreenCauses),
    because: hostile,
    to: fc.constantFrom(...colors),
    first: fc.constantFrom(false, false, false, true),
    phase: fc.constantFrom(...blueGreenPhases),
    startedAt: at,
    phaseStartedAt: at,
    spec: maybe(texts),
    made: specs.map(blueGreenSpecCodec.write),
    targetId: maybe(ids),
    targetUid: maybe(fc.constantFrom('1', '2')),
    asked: maybe(fc.record({ attempt: fc.constantFrom(1, 2), uid: fc.constantFrom('1', '2'), deadline: at })),
    savepointFailures: maybe(fc.constantFrom(1, 9)),
    savepointRetryAt: maybe(at),
    savepointError: maybe(hostile),
    mode: maybe(fc.constantFrom('stateless' as const, 'savepoint' as const, 'checkpoint' as const, 'user' as const)),
    path: maybe(fc.constantFrom('s3://sp/1', 's3://mine')),
    deadline: maybe(at),
    readyAt: maybe(at),
    trafficAt: maybe(at),
    moveId: maybe(ids),
    noncesBefore: maybe(fc.record({ savepointRedeploy: nonce }, { requiredKeys: [] }).map(present)),
    retire: maybe(fc.constantFrom('1', '2')),
  })
  .map(({ first, asked, mode, path, retire, targetUid, made, ...t }) => {
    const from = first ? undefined : other(t.to);
    const word = (color: Color | undefined, n: string) => `${(color ?? t.to).toLowerCase()}-${n}`;
    return present({
      ...t,
      to: first ? ('BLUE' as const) : t.to,
      from,
      // What has been ready was made for something.
      spec: t.phase === 'savepointing' || t.phase === 'starting' ? t.spec : made,
      generation: 1,
      targetUid: targetUid && word(t.to, targetUid),
      savepoint: asked && {
        snapshot: savepointName(name, uid, asked.attempt),
        uid: word(from, asked.uid),
        jobId: `job-of-${word(from, asked.uid)}`,
        askedAt: new Date(start).toISOString(),
        deadline: asked.deadline,
      },
      restore: mode && present({ mode, path }),
      retire: retire && { uid: word(from, retire), askedAt: new Date(start).toISOString() },
    }) as BlueGreenTransition;
  });

const statuses: fc.Arbitrary<Status> = fc
  .record({
    attempt: fc.constantFrom(1, 2, undefined),
    color: maybe(fc.constantFrom(...colors)),
    spec: specs,
    text: maybe(texts),
    halted: fc.constantFrom(false, false, true),
    transition: maybe(transition),
    nonces: maybe(fc.record({ savepointRedeploy: nonce, statelessRedeploy: nonce })),
    aborted: maybe(fc.record({ uid: maybe(fc.constantFrom('1', '2')), spec: texts })),
    inPlace: maybe(
      fc
        .record({
          color: fc.constantFrom(...colors),
          uid: maybe(fc.constantFrom('blue-1', 'green-1')),
          how: fc.constantFrom('patched' as const, 'replaced' as const, 'restarted' as const),
          spec: specs.map(blueGreenSpecCodec.write),
          givenUp: maybe(specs.map(blueGreenSpecCodec.write)),
          because: fc.constant('Why not.'),
        })
        .map(present),
    ),
    blueGreenState: maybe(fc.constantFrom(...blueGreenStates)),
    error: maybe(hostile),
  })
  .map(({ color, spec, text, halted, aborted, ...s }) => {
    const { transition: t } = s;
    // What serves follows from where the transition is.
    const serves = t ? (isAhead(t) ? t.to : t.from) : color;
    const known = serves && servingStatus(serves, spec);
    return present({
      ...known,
      ...s,
      nonces: s.nonces && present(s.nonces),
      lastReconciledSpec: text ?? known?.lastReconciledSpec,
      inPlace: t?.phase === 'savepointing' ? undefined : s.inPlace,
      serving: known?.serving && { ...known.serving, ...(halted && { suspended: true }) },
      aborted: t
        ? undefined
        : serves &&
          aborted &&
          present({
            id: `${uid}-0`,
            at: new Date(start).toISOString(),
            color: other(serves),
            uid: aborted.uid && `${other(serves).toLowerCase()}-${aborted.uid}`,
            spec: aborted.spec,
            reason: 'Why not.',
          }),
    }) as Status;
  });

const ingress = (ingressName: string): fc.Arbitrary<IngressSeen | undefined> =>
  maybe(
    fc.record({
      color: fc.constantFrom(...colors),
      owners: fc.constantFrom([uid], ['stranger']),
      terminating: fc.boolean(),
      empty: fc.boolean(),
    }),
  ).map((found) => {
    if (!found) return undefined;
    const { color, empty, ...more } = found;
    return { ...ingressSeen(color, ingressName), ...more, ...(empty && { backends: [] }) };
  });

const snapshots: fc.Arbitrary<readonly FlinkStateSnapshot[]> = fc
  .array(
    fc.record({
      state: maybe(
        fc.constantFrom(
          'TRIGGER_PENDING' as const,
          'IN_PROGRESS' as const,
          'COMPLETED' as const,
          'FAILED' as const,
          'ABANDONED' as const,
        ),
      ),
      path: maybe(fc.constant('s3://sp/1')),
      error: maybe(hostile),
      triggerId: maybe(fc.constant('t')),
    }),
    { maxLength: 2 },
  )
  .map((list) =>
    list.map((status, index) => {
      const made = savepointObject({
        resource: resourceOf(stateful),
        child: name,
        attempt: index + 1,
        format: 'NATIVE',
      });
      const metadata = { ...made.metadata, uid: `snapshot-${index}`, resourceVersion: '1' };
      return { ...made, metadata, status: present(status) } as FlinkStateSnapshot;
    }),
  );

const outcome = (id: string) =>
  maybe(
    fc.constantFrom('refused' as const, 'unavailable' as const).map((result) => ({
      [id]: { result, at: start, since: start, of: 'something', message: 'no' },
    })),
  );

/** Views as they may and may not occur: parts are drawn one by one, so many contradict each other. */
export const views: fc.Arbitrary<BlueGreenView> = fc
  .record({ spec: fc.oneof({ weight: 9, arbitrary: specs }, { weight: 1, arbitrary: oddSpecs }), served: specs })
  .chain(({ spec, served }) =>
    fc.record({
      spec: fc.constant(spec),
      status: maybe(statuses),
      blue: side('BLUE', served),
      green: side('GREEN', served),
      ingress: ingress(name),
      preview: ingress(`${name}-preview`),
      snapshots,
      namesake: fc.boolean(),
      deleting: fc.constantFrom(false, false, false, true),
      annotated: fc.dictionary(fc.constantFrom('cutover.dev/promote', 'cutover.dev/rollback'), ids),
      refused: outcome(`apply networking.k8s.io/v1 Ingress shop/${name}`),
      ingressOff: fc.constantFrom(false, false, true),
    }),
  )
  .map(({ spec, status, blue, green, deleting, annotated, refused, ingressOff, ...rest }) => {
    const view = viewOf(spec, { ...rest, sides: { BLUE: blue, GREEN: green }, outcomes: (refused ?? {}) as never });
    const metadata = {
      ...view.resource.metadata,
      annotations: annotated,
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    };
    const settings: Record<string, string> = ingressOff ? { 'kubernetes.operator.ingress.manage': 'false' } : {};
    return {
      ...view,
      resource: { ...view.resource, metadata, ...(status && { status }) },
      operator: { ...view.operator, settings },
    };
  });
