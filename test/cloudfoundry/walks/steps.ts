import fc from 'fast-check';
import { sleep } from '../../../src/clock/clock.ts';
import { annotations } from '../../../src/cloudfoundry/keys.ts';
import { revisionsOf } from '../../../src/cloudfoundry/revision.ts';
import { app, type WalkStage } from './walk-stage.ts';
import type { Witness } from './witness.ts';

/** What somebody does, or what befalls the operator; one step of a walk. */
type Step =
  | { readonly do: 'deploy'; readonly droplet?: 'web-droplet' | 'good' | 'broken'; readonly maxInFlight: number }
  | { readonly do: 'canary'; readonly steps: readonly number[]; readonly maxInFlight: number }
  | { readonly do: 'cancel' | 'continue'; readonly nth: number }
  | { readonly do: 'stop' | 'start' | 'restart' | 'flip' | 'bump' | 'route' | 'rewind' }
  | { readonly do: 'scale'; readonly type: 'web' | 'worker'; readonly to: number }
  | { readonly do: 'set-env'; readonly value: number }
  | { readonly do: 'set-droplet'; readonly droplet: 'web-droplet' | 'good' | 'broken' }
  | { readonly do: 'restart-instance'; readonly index: number }
  | { readonly do: 'die'; readonly atWrite: number; readonly downMs: number }
  | { readonly do: 'freeze'; readonly ms: number };

/** A step, and how long people do nothing after it. */
export interface Paced {
  readonly step: Step;
  /** Others do the next thing in the same moment. */
  readonly together: boolean;
  readonly thenMs: number;
}

const droplet = fc.constantFrom('web-droplet' as const, 'good' as const, 'broken' as const);
const maxInFlight = fc.integer({ min: 1, max: 3 });
const nth = fc.integer({ min: 0, max: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      { do: fc.constant('deploy' as const), droplet, maxInFlight },
      { requiredKeys: ['do', 'maxInFlight'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('canary' as const),
      steps: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }).map((all) => all.toSorted((a, b) => a - b)),
      maxInFlight,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('continue' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('stop' as const, 'start' as const, 'restart' as const, 'flip' as const, 'bump' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('route' as const, 'rewind' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('scale' as const),
      type: fc.constant('web' as const),
      to: fc.integer({ min: 0, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('scale' as const),
      type: fc.constant('worker' as const),
      to: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set-env' as const), value: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set-droplet' as const), droplet }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('restart-instance' as const), index: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      atWrite: fc.integer({ min: 1, max: 12 }),
      downMs: fc.integer({ min: 0, max: 60_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
);

const together = fc.integer({ min: 0, max: 4 }).map((chance) => chance === 4);

const thenMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 2_000, max: 30_000 }),
  fc.integer({ min: 30_000, max: 300_000 }),
);

export const walks: fc.Arbitrary<readonly Paced[]> = fc.array(fc.record({ step, together, thenMs }), {
  minLength: 1,
  maxLength: 12,
});

/** Takes a step as a person would, and tells the witness what it permits. */
export async function take(stage: WalkStage, witness: Witness, step: Step): Promise<void> {
  const on = (path: string): string => `/v3/apps/${app}${path}`;
  const relationships = { app: { data: { guid: app } } };
  switch (step.do) {
    case 'deploy': {
      witness.permits('restarts');
      const more = step.droplet ? { droplet: { guid: step.droplet } } : {};
      const options = { max_in_flight: step.maxInFlight };
      await stage.ask('POST', '/v3/deployments', { relationships, strategy: 'rolling', options, ...more });
      return;
    }
    case 'canary': {
      witness.permits('restarts');
      const steps = step.steps.map((weight) => ({ instance_weight: weight }));
      const options = { max_in_flight: step.maxInFlight, ...(steps.length > 0 && { canary: { steps } }) };
      await stage.ask('POST', '/v3/deployments', { relationships, strategy: 'canary', options });
      return;
    }
    case 'cancel':
    case 'continue': {
      const guid = witness.newest(step.nth);
      if (guid === undefined) return;
      witness.permits('restarts');
      await stage.ask('POST', `/v3/deployments/${guid}/actions/${step.do}`);
      return;
    }
    case 'stop':
    case 'restart':
      witness.permits('an end');
      await stage.ask('POST', on(`/actions/${step.do}`));
      return;
    case 'start':
      witness.permits('restarts');
      await stage.ask('POST', on('/actions/start'));
      return;
    case 'flip': {
      // Without webhooks a stop counts when it was seen, and so does the start before it.
      const { observedDesiredState } = stage.app(app).status ?? {};
      if (stage.app(app).spec.desiredState === 'STOPPED' || observedDesiredState !== 'STARTED') return;
      witness.permits('an end');
      const { highest } = revisionsOf(stage.app(app));
      await stage.edit(app, { spec: { desiredState: 'STOPPED' } });
      const isSeen = (): boolean => {
        const { status } = stage.app(app);
        return status?.observedDesiredState === 'STOPPED' && revisionsOf(stage.app(app)).highest > highest;
      };
      for (let left = 2400; left > 0 && !isSeen(); left--) await sleep(stage.clock, 250);
      return;
    }
    case 'bump': {
      witness.permits('restarts');
      const next = String(revisionsOf(stage.app(app)).highest + 1);
      await stage.edit(app, { metadata: { annotations: { [annotations.appRev]: next } } });
      return;
    }
    case 'scale':
      witness.permits('another size');
      await stage.ask('POST', on(`/processes/${step.type}/actions/scale`), { instances: step.to });
      return;
    case 'set-env':
      await stage.ask('PATCH', on('/environment_variables'), { var: { VALUE: String(step.value) } });
      return;
    case 'set-droplet':
      await stage.ask('PATCH', on('/relationships/current_droplet'), { data: { guid: step.droplet } });
      return;
    case 'restart-instance':
      witness.permits('one less');
      await stage.ask('DELETE', on(`/processes/web/instances/${step.index}`));
      return;
    case 'route':
      await stage.mapRoute();
      return;
    case 'die':
      stage.dieAt(step.atWrite, step.downMs);
      return;
    case 'freeze':
      stage.freeze(step.ms);
      return;
    case 'rewind':
      stage.rewind();
      return;
  }
}
