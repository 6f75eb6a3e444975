import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decision, flaw } from '../../control/decision.ts';
import type { DeploymentView } from '../view.ts';
import { decideDeployment } from './deployment.ts';
import { isPlainStatus, jobIdsOf } from './model/judge.fixture.ts';
import { views } from './model/views.fixture.ts';
import type { Status } from './status.ts';

const holds = (law: (view: DeploymentView, decision: Decision, status: Status) => void): void => {
  fc.assert(
    fc.property(views, (view) => {
      const decision = decideDeployment(view);
      const written = decision.actions.find((action) => action.do === 'status')?.status;
      law(view, decision, (written ?? view.resource.status ?? {}) as Status);
    }),
    { numRuns: 400 },
  );
};

describe('whatever the view', () => {
  it('there is a decision, and it is well formed', () => {
    holds((view, decision) => {
      expect(flaw(decision)).toBeUndefined();
      for (const action of decision.actions)
        if (action.do === 'status') expect(isPlainStatus(action.status)).toBe(true);
      expect(decideDeployment(view)).toEqual(decision);
    });
  });

  it('no call is made whose id is not written down', () => {
    holds((_, { actions }, status) => {
      for (const action of actions) if (action.do === 'call') expect(JSON.stringify(status)).toContain(action.id);
    });
  });

  it('recovery metadata is deleted only when no JobManager is left and nobody needs it', () => {
    holds(({ cluster }, { actions }, { transition }) => {
      const metadata = new Set(cluster.ha.configMaps.map(({ uid }) => uid));
      const deletes = actions.some((action) => action.do === 'delete' && metadata.has(action.of.uid));
      if (!deletes) return;
      expect([cluster.pods, cluster.jobManager, cluster.taskManager]).toEqual([[], undefined, undefined]);
      expect(transition?.restore.mode !== 'last-state' || transition.cause === 'deletion').toBe(true);
    });
  });

  it('nothing is deleted that belongs to somebody else', () => {
    holds(({ cluster, resource }, { actions }) => {
      const uid = resource.metadata.uid ?? '';
      const strangers = [cluster.jobManager, cluster.taskManager].filter((one) => one && !one.owners.includes(uid));
      for (const action of actions) {
        if (action.do === 'delete') expect(strangers.map((one) => one?.ref.uid)).not.toContain(action.of.uid);
      }
    });
  });

  it('a job gets a new id unless it goes on from its last state', () => {
    holds(({ resource }, _, status) => {
      const [before, after] = [resource.status?.transition?.jobId, status.transition?.jobId];
      if (after === undefined || after === before) return;
      if (status.transition?.restore.mode === 'last-state') return;
      expect(jobIdsOf(resource.status)).not.toContain(after);
    });
  });

  it('the path that the next job starts from is never lost on the way', () => {
    holds(({ resource }, _, { transition }) => {
      const before = resource.status?.transition;
      if (before?.restore.path === undefined || transition?.id !== before.id) return;
      if (before.restore.mode === transition.restore.mode) expect(transition.restore.path).toBe(before.restore.path);
    });
  });

  it('attempts never go back, and a new id of a call is of a new attempt or the first', () => {
    holds(({ resource }, _, status) => {
      expect(status.attempt ?? 0).toBeGreaterThanOrEqual(resource.status?.attempt ?? 0);
      const [before, after] = [resource.status?.transition, status.transition];
      if (!before?.stop.askedAt || before.stop.callId === after?.stop.callId || !after?.stop.callId) return;
      expect(status.attempt ?? 0).toBeGreaterThan(resource.status?.attempt ?? 0);
    });
  });

  it('a nonce that is null, or was acted upon, asks for no redeploy', () => {
    holds(({ resource }, _, { transition }) => {
      const { status, spec } = resource;
      const acted = status?.nonces ?? {};
      const asks =
        (spec.job?.statelessRedeployNonce ?? acted.statelessRedeploy) !== acted.statelessRedeploy ||
        (spec.job?.savepointRedeployNonce ?? acted.savepointRedeploy) !== acted.savepointRedeploy;
      if (asks || transition?.id === status?.transition?.id) return;
      expect(['stateless-redeploy', 'savepoint-redeploy']).not.toContain(transition?.cause);
    });
  });

  it('a redeploy that is begun is acted upon in the same breath', () => {
    holds(({ resource }, _, { transition, nonces }) => {
      if (transition?.cause === resource.status?.transition?.cause) return;
      const { statelessRedeployNonce, savepointRedeployNonce } = resource.spec.job ?? {};
      if (transition?.cause === 'stateless-redeploy') expect(nonces?.statelessRedeploy).toBe(statelessRedeployNonce);
      if (transition?.cause === 'savepoint-redeploy') expect(nonces?.savepointRedeploy).toBe(savepointRedeployNonce);
    });
  });
});
