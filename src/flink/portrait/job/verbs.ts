import type { AnyObject } from '../../../kube/object.ts';
import type { PatchOperation, Steering, Verb, VerbName, Wish } from '../../../portrait/verb.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { flinkSessionJob } from '../../resources/flink-session-job.ts';
import { isPaused, notOurs, type Pausable, pause, unpause } from '../pause-verbs.ts';
import { nextNonce, patchOf, refused } from '../steering.ts';
import { type JobLook, jobLook } from './job-look.ts';
import { lastState, thing } from './moments.ts';
import { recordedRestartNonce } from './recorded-nonce.ts';

/** What can be done to a job or a session cluster, which are changed where they are. */
export const jobVerbs: readonly Verb[] = [
  verb('pause', 'make Cutover leave it alone; it runs on', (l) => pause(pausable(l)), true),
  verb('resume', 'take a pause away, or let a suspended job run again', resume, true),
  verb('restart', 'stop it and start it again from its state', (l, { stateless }) =>
    stateless ? emptied(l) : restarted(l, restartSaid(l)),
  ),
  verb('retry', 'try once more what failed or was rolled back', retry),
  verb('suspend', 'stop the job and keep its state', suspend),
];

function verb(name: VerbName, summary: string, answer: (l: JobLook, wish: Wish) => Steering, always = false): Verb {
  return {
    name,
    summary,
    request(object: AnyObject, _, wish) {
      const l = jobLook(object);
      if (l.partOf !== undefined) {
        return refused(`It is a side of FlinkBlueGreenDeployment ${l.partOf}: do it there.`);
      }
      const why = always ? undefined : notOurs(pausable(l));
      return why === undefined ? answer(l, wish) : refused(why);
    },
  };
}

function pausable({ is, resource, status, transition }: JobLook): Pausable {
  const { type } = is === 'session job' ? flinkSessionJob : flinkDeployment;
  return { type, resource, status, underWay: transition !== undefined };
}

function written(l: JobLook, patch: readonly PatchOperation[], said: string) {
  const { type, resource } = pausable(l);
  return { is: 'writes', writes: [patchOf(type, resource, patch)], said } as const;
}

function isSuspended({ resource }: JobLook): boolean {
  return resource.spec.job?.state === 'suspended';
}

function keepsState({ resource }: JobLook): boolean {
  return (resource.spec.job?.upgradeMode ?? 'stateless') !== 'stateless';
}

function resume(l: JobLook): Steering {
  const paused = pausable(l);
  if (isPaused(paused)) {
    const steering = unpause(paused);
    const asleep = isSuspended(l) ? ' Its job stays suspended: resume once more to let it run.' : '';
    return steering.is === 'writes' ? { ...steering, said: `${steering.said}${asleep}` } : steering;
  }
  if (!isSuspended(l)) return refused('It is neither paused nor suspended.');
  const from = keepsState(l) ? `from ${lastState(l) ?? 'the state that it was suspended with'}` : 'without state';
  return written(l, [{ op: 'replace', path: '/spec/job/state', value: 'running' }], `The job runs again, ${from}.`);
}

function suspend(l: JobLook): Steering {
  if (!l.resource.spec.job) return refused('It is a session cluster: suspend the jobs in it.');
  if (isSuspended(l)) return refused('It is suspended already.');
  const keeps = keepsState(l);
  const stateless = 'its upgradeMode is stateless, so it starts empty afterwards';
  return {
    ...written(
      l,
      [{ op: 'add', path: '/spec/job/state', value: 'suspended' }],
      `The job is stopped ${keeps ? 'and its state kept' : `; ${stateless}`}; nothing serves until it is resumed.`,
    ),
    stake: keeps
      ? { what: 'availability', question: 'Nothing serves while it is suspended. Suspend it?' }
      : { what: 'state', question: `Nothing serves while it is suspended, and ${stateless}. Suspend it?` },
  };
}

function restartSaid(l: JobLook): string {
  if (l.is === 'session')
    return 'The session cluster is made anew; its jobs come back as high availability or their own resources bring them.';
  return keepsState(l)
    ? 'The job is stopped with its state and goes on from it; it does not serve meanwhile.'
    : 'The job is stopped and starts without state, as its upgradeMode says; it does not serve meanwhile.';
}

/** Another restartNonce than was ever acted upon. */
function restarted(l: JobLook, said: string): Steering {
  if (isSuspended(l)) return refused('It is suspended: resume it instead.');
  const { spec } = l.resource;
  const value = nextNonce(spec.restartNonce, l.status.nonces?.restart, recordedRestartNonce(l));
  const question =
    l.is === 'session' || keepsState(l)
      ? ({
          what: 'availability',
          question: `${sentenceCase(thing(l))} does not serve while it restarts. Restart it?`,
        } as const)
      : ({ what: 'state', question: 'Its upgradeMode is stateless: it starts empty. Restart it?' } as const);
  return { ...written(l, replaced('/spec/restartNonce', spec.restartNonce, value), said), stake: question };
}

function retry(l: JobLook): Steering {
  if (l.transition?.stop.retryAt !== undefined) {
    return refused(`Ending the job is tried again by itself, at ${l.transition.stop.retryAt}.`);
  }
  if (l.transition) return refused('A change is under way.');
  if (l.moment !== 'failed' && l.moment !== 'rolled-back')
    return refused('Nothing failed and nothing was rolled back.');
  return restarted(l, 'The same specification is deployed once more.');
}

function emptied(l: JobLook): Steering {
  const { job } = l.resource.spec;
  if (!job) return refused('It is a session cluster: it has no state of its own.');
  if (isSuspended(l)) return refused('It is suspended: resume it instead.');
  const now = job.statelessRedeployNonce;
  const value = nextNonce(now, l.status.nonces?.statelessRedeploy);
  const left = lastState(l);
  const where = left ? ` Its last known state is ${left}.` : '';
  return {
    ...written(
      l,
      replaced('/spec/job/statelessRedeployNonce', now, value),
      `The job is cancelled and starts without state; the status says where the old state lies.${where}`,
    ),
    stake: { what: 'state', question: `The job starts empty: its state is left behind.${where} Drop the state?` },
  };
}

/** Refused when somebody else has changed the number meanwhile. */
function replaced(path: string, now: number | undefined, value: number): readonly PatchOperation[] {
  const before = now === undefined ? [] : [{ op: 'test', path, value: now } as const];
  return [...before, { op: 'add', path, value }];
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
