import type { PastChange, Step } from '../../portrait/portrait.ts';
import { canaries, totalSteps } from '../decide/process/rollout.ts';
import { wantedInstances } from '../wanted-instances.ts';
import { countOf, whyOf } from './instances.ts';
import type { Scene } from './scene.ts';

type Status = Step['status'];

/** What a deployment goes through: the revision is prepared, canaries, the web process, the others, and then it is said. */
export function stepsOf(scene: Scene): readonly Step[] {
  const { current, appRev, situation } = scene;
  if (!current || (situation.is !== 'running' && !('mark' in situation))) return [];
  const { record, standing } = current;
  const rev = Number(record.status?.appRev ?? appRev);
  const ended = standing.value === 'FINALIZED';
  const failed = ended && standing.reason !== 'DEPLOYED';
  const prepared = ended || scene.workloads.some(({ spec }) => spec.version === String(rev));
  const web = scene.processes.find(({ spec }) => spec.processType === 'web');
  const wanted = web ? wantedInstances(web.spec) : 0;
  const others = scene.processes.filter(({ spec }) => spec.processType !== 'web' && wantedInstances(spec) > 0);
  const { webDone = false } = record.status ?? {};
  const canary = record.spec.strategy === 'canary' ? canarySteps(scene, rev, wanted, prepared) : [];
  const heldBack = canary.some(({ status }) => status !== 'done');
  const rolled = ended || webDone;
  const begun = record.metadata.creationTimestamp;
  const steps: Step[] = [
    {
      name: 'prepare',
      title: `Take what revision ${rev} consists of`,
      status: prepared ? 'done' : 'current',
      ...(begun !== undefined && { startedAt: begun }),
    },
    ...canary,
    {
      name: 'web',
      title: `Replace instances of web, ${record.spec.maxInFlight ?? 1} at a time`,
      status: rolled ? 'done' : prepared && !heldBack ? 'current' : 'pending',
      info: `${countOf(scene, rev, 'web').ready} of ${wanted} ready`,
    },
    ...others.map(({ spec }): Step => {
      const count = countOf(scene, rev, spec.processType);
      return {
        name: spec.processType,
        title: `Replace instances of ${spec.processType}`,
        status: ended ? 'done' : rolled ? 'current' : 'pending',
        info: `${count.ready} of ${wantedInstances(spec)} ready`,
      };
    }),
  ];
  const through = steps.every(({ status }) => status === 'done');
  const finish: Step = {
    name: 'finish',
    title: `All processes say that they run revision ${rev}`,
    status: ended ? 'done' : through ? 'current' : 'pending',
    ...(record.status?.finalizedAt !== undefined && { endedAt: record.status.finalizedAt }),
  };
  return [...steps, finish].map((step) => ({ ...step, status: failed ? broken(step.status) : step.status }));
}

/** Of a deployment that was given up nothing is known of what was done before. */
function broken(status: Status): Status {
  return status === 'done' || status === 'current' ? 'skipped' : status;
}

function canarySteps(scene: Scene, rev: number, wanted: number, prepared: boolean): readonly Step[] {
  const { record, standing } = scene.current ?? {};
  if (!record || !standing) return [];
  const { step } = record.spec;
  return Array.from({ length: totalSteps(record.spec) }, (_, index): Step => {
    const number = index + 1;
    const count = canaries({ spec: { ...record.spec, step: number } }, wanted) ?? wanted;
    const done = standing.value === 'FINALIZED' || number < step;
    const waits = number === step && standing.reason === 'PAUSED';
    return {
      name: `canary-${number}`,
      title: `Run ${count} of ${wanted} as a canary, then wait for somebody`,
      status: done ? 'done' : number === step && prepared ? 'current' : 'pending',
      info: waits ? 'waits: promote or abort' : `${countOf(scene, rev, 'web').ready} ready`,
    };
  });
}

/** Deployments that have ended, the newest first. */
export function historyOf({ deployments }: Scene): readonly PastChange[] {
  return deployments
    .filter(({ standing }) => standing.value === 'FINALIZED')
    .map(({ record, standing }) => {
      const { appRev, finalizedAt } = record.status ?? {};
      const startedAt = record.metadata.creationTimestamp;
      return {
        id: record.metadata.name ?? '',
        what: appRev === undefined ? 'never begun' : `revision ${appRev}`,
        because: whyOf(record.spec),
        outcome: standing.reason,
        good: standing.reason === 'DEPLOYED',
        ...(startedAt !== undefined && { startedAt }),
        ...(finalizedAt !== undefined && { endedAt: finalizedAt }),
        steps: [],
        ...(standing.error !== undefined && { info: standing.error }),
      };
    });
}
