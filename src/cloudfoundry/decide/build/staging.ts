import type { Instant } from '../../../clock/clock.ts';
import { type Finding, setCondition } from '../../../control/conditions.ts';
import type { Reason } from '../../../control/decision.ts';
import type { CfBuild, CfBuildStatus } from '../../resources/cf-build.ts';
import type { Droplet } from '../../resources/image.ts';
import type { Conclusion } from '../conclude.ts';

/** How the staging of a build stands. */
export interface Staging extends Omit<Conclusion, 'status'> {
  readonly state: 'STAGING' | 'STAGED' | 'FAILED';
  readonly droplet?: Droplet;
  /** `Staging` and `Succeeded`. */
  readonly findings: readonly Finding[];
}

/** Nothing can be done yet. It stays in STAGING: what it waits for may still come. */
export function waiting(reason: Reason, message: string): Staging {
  return {
    state: 'STAGING',
    findings: [
      { type: 'Staging', status: 'Unknown', reason, message },
      { type: 'Succeeded', status: 'Unknown', reason, message },
    ],
    readiness: { ready: false, reason, message },
    because: message,
  };
}

/** A builder has it, or its registry is being asked. */
export function running(message: string, reason: Reason = 'BuildRunning'): Staging {
  return {
    state: 'STAGING',
    findings: [
      { type: 'Staging', status: 'True', reason, message },
      { type: 'Succeeded', status: 'Unknown', reason, message },
    ],
    readiness: { ready: false, reason, message: message || 'It is being staged.' },
    because: 'it is being staged',
  };
}

/** `note`: what users should know about the droplet all the same. */
export function staged(droplet: Droplet, note = ''): Staging {
  return {
    state: 'STAGED',
    droplet,
    findings: [
      { type: 'Staging', status: 'False', reason: 'BuildNotRunning', message: '' },
      { type: 'Succeeded', status: 'True', reason: 'BuildSucceeded', message: note },
    ],
    readiness: { ready: true },
    because: 'the droplet is there',
  };
}

/** For good. `message` is what users read as the build's error. */
export function failed(message: string): Staging {
  return {
    state: 'FAILED',
    findings: [
      { type: 'Staging', status: 'False', reason: 'BuildNotRunning', message: '' },
      { type: 'Succeeded', status: 'False', reason: 'BuildFailed', message },
    ],
    readiness: { ready: false, reason: 'BuildFailed', message },
    because: message,
  };
}

/** As it was recorded: what is over stays as it was. */
export function ended({ status }: CfBuild): Staging {
  const told = status?.conditions?.find(({ type }) => type === 'Succeeded')?.message ?? '';
  return status?.state === 'FAILED' ? failed(told || 'It failed.') : staged(status?.droplet ?? {}, told);
}

export function statusOf({ metadata, status }: CfBuild, staging: Staging, now: Instant): CfBuildStatus {
  const { state, droplet, findings } = staging;
  const generation = metadata.generation ?? 0;
  const conditions = findings.reduce(
    (list, finding) => setCondition(list, finding, generation, now),
    status?.conditions ?? [],
  );
  return { ...status, state, ...(droplet && { droplet }), conditions };
}
