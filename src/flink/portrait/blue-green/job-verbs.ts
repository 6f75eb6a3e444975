import type { PatchOperation, Steering, Verb } from '../../../portrait/verb.ts';
import { isSuspended, needsState, specIn } from '../../decide/bluegreen/blue-green-case.ts';
import { isAhead } from '../../decide/bluegreen/traffic.ts';
import { flinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { isPaused, pause as pauseIt, unpause } from '../pause-verbs.ts';
import { nextNonce, patchOf, refused } from '../steering.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { word } from './moments.ts';
import { type Asked, blueGreenVerb, pausable } from './verb.ts';

const { type } = flinkBlueGreenDeployment;
const template = '/spec/template/spec';

export const pause: (asked: Asked) => Verb = blueGreenVerb(
  'pause',
  'make Cutover leave the resource alone; the job runs on',
  (l) => pauseIt(pausable(l)),
  true,
);

export const resume: (asked: Asked) => Verb = blueGreenVerb(
  'resume',
  'take a pause away, or let a suspended job run again',
  (l) => {
    const paused = pausable(l);
    const suspended = isSuspended(l.resource.spec);
    if (isPaused(paused)) {
      const asleep = suspended ? ' Its job stays suspended: resume once more to let it run.' : '';
      const steering = unpause(paused);
      return steering.is === 'writes' ? { ...steering, said: `${steering.said}${asleep}` } : steering;
    }
    if (!suspended) return refused('It is neither paused nor suspended.');
    const from = needsState(l.resource.spec) ? 'from the state that it was suspended with' : 'without state';
    return {
      is: 'writes',
      writes: [patchOf(type, l.resource, [{ op: 'replace', path: `${template}/job/state`, value: 'running' }])],
      said: `The job runs again, on ${word(l.serving ?? 'BLUE')}, ${from}.`,
    };
  },
  true,
);

export const suspend: (asked: Asked) => Verb = blueGreenVerb('suspend', 'stop the job and keep its state', (l) => {
  const { resource, transition, serving } = l;
  const { spec } = resource;
  if (!spec.template?.spec?.job) return refused('There is no job in the template.');
  if (isSuspended(spec)) return refused('It is suspended already.');
  const side = word(serving ?? 'BLUE');
  const state = needsState(spec) ? 'with a savepoint' : 'and its state is dropped: its upgradeMode is stateless';
  const when =
    transition?.from && transition.spec !== undefined
      ? `once the transition to ${word(transition.to)} is complete, ${word(transition.to)} is stopped ${state}`
      : `${side} is stopped ${state}`;
  return {
    is: 'writes',
    writes: [patchOf(type, resource, [{ op: 'add', path: `${template}/job/state`, value: 'suspended' }])],
    said: `${when}; nothing serves until it is resumed.`,
    stake: needsState(spec)
      ? { what: 'availability', question: `Nothing serves while it is suspended. Suspend ${side}?` }
      : {
          what: 'state',
          question: `Nothing serves while it is suspended, and without a savepoint (upgradeMode: stateless) it starts empty afterwards. Suspend ${side}?`,
        },
  };
});

export const restart: (asked: Asked) => Verb = blueGreenVerb(
  'restart',
  'make the other side from the same template and move to it',
  (l, _, { stateless }) => {
    const { spec } = l.resource;
    if (!spec.template?.spec?.job) return refused('There is no job in the template.');
    if (isSuspended(spec)) return refused('It is suspended: resume it instead.');
    return stateless ? emptied(l) : renewed(l, moved(l));
  },
);

export const retry: (asked: Asked) => Verb = blueGreenVerb('retry', 'try once more what was given up', (l) => {
  const { status, transition } = l;
  if (transition?.savepointRetryAt !== undefined) {
    return refused(`The savepoint is tried again by itself, at ${transition.savepointRetryAt}.`);
  }
  if (transition) return refused('A transition is under way.');
  if (!status.aborted) return refused('Nothing was given up.');
  if (isSuspended(l.resource.spec)) return refused('It is suspended: resume it first.');
  const next = word(status.aborted.color);
  const left = status.aborted.uid === undefined ? '' : ` What is left of ${next} is deleted first.`;
  return renewed(l, `The same template is tried once more: ${next} is made again, ${source(l)}.${left}`);
});

/** Another restartNonce: the template differs from the one that is served, and from the one that was given up. */
function renewed(l: BlueGreenLook, said: string): Steering {
  const { resource, status } = l;
  const now = resource.spec.template?.spec?.restartNonce;
  const others = [status.aborted?.spec, status.lastReconciledSpec, status.transition?.spec];
  const value = nextNonce(now, ...others.map((text) => specIn(text)?.template?.spec?.restartNonce));
  const writes = [patchOf(type, resource, replaced(`${template}/restartNonce`, now, value))];
  return { is: 'writes', writes, said };
}

function emptied(l: BlueGreenLook): Steering {
  const { resource, status, transition, serving } = l;
  const now = resource.spec.template?.spec?.job?.statelessRedeployNonce;
  const value = nextNonce(now, status.nonces?.statelessRedeploy, status.superseded?.statelessRedeploy);
  const next = word(l.target);
  const dropped = transition?.from && !isAhead(transition) ? `The transition under way is dropped; ${next}` : next;
  const last = status.lastSavepoint ? ` The last savepoint stays at ${status.lastSavepoint.path}.` : '';
  return {
    is: 'writes',
    writes: [patchOf(type, resource, replaced(`${template}/job/statelessRedeployNonce`, now, value))],
    said: `${dropped} starts without state; ${word(serving ?? 'BLUE')} serves until it is ready.${last}`,
    stake: {
      what: 'state',
      question: `The job starts empty: its state is left behind when the new side gets the traffic.${last} Drop the state?`,
    },
  };
}

/** Refused when somebody else has changed the number meanwhile. */
function replaced(path: string, now: number | undefined, value: number): readonly PatchOperation[] {
  const before = now === undefined ? [] : [{ op: 'test', path, value: now } as const];
  return [...before, { op: 'add', path, value }];
}

function moved(l: BlueGreenLook): string {
  const { transition, serving } = l;
  if (serving === undefined) return 'blue is restarted in place: it is the first deployment.';
  if (l.moment === 'given-up') return `What was given up is tried once more: ${word(l.target)} is made, ${source(l)}.`;
  if (transition && !isAhead(transition)) {
    return `${word(l.target)} is made again; ${word(serving)} serves until it is ready.`;
  }
  const next = word(transition ? (transition.from ?? l.target) : l.target);
  return `${next} is made from the same template, ${source(l)}; ${word(serving)} serves until it is ready.`;
}

/** Where the state comes from. */
function source({ resource, status }: BlueGreenLook): string {
  const { aborted } = status;
  const last = status.history?.find(({ id }) => id === aborted?.id);
  if (last?.cause === 'stateless-redeploy') return 'without state, as was asked for';
  if (last?.cause === 'savepoint-redeploy') return 'from initialSavepointPath, as was asked for';
  return needsState(resource.spec) ? 'from a new savepoint' : 'without state';
}
