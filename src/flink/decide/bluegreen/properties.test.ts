import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Action, type Decision, flaw } from '../../../control/decision.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { decideBlueGreen } from './blue-green.ts';
import { other, type Status } from './blue-green-case.ts';
import { isReady, sideOf } from './side.ts';
import { kindOf, rowsOf, Story } from './story.fixture.ts';
import { name, uid } from './view.fixture.ts';
import { views } from './views.fixture.ts';

const holds = (law: (view: BlueGreenView, decision: Decision, status: Status) => void): void => {
  fc.assert(
    fc.property(views, (view) => {
      const decision = decideBlueGreen(view);
      const written = decision.actions.find((action) => action.do === 'status')?.status;
      law(view, decision, (written ?? view.resource.status ?? {}) as Status);
    }),
    { numRuns: 200 },
  );
};

const colorOf = (sideName: string | undefined): Color =>
  colors.find((color) => `${name}-${color.toLowerCase()}` === sideName) ?? 'BLUE';

const onSides = (actions: readonly Action[], verb: Action['do']) =>
  actions.filter((action) => action.do === verb && kindOf(action) === 'FlinkDeployment');

describe('whatever the view', () => {
  it('there is a decision, it is well formed, and always the same', () => {
    holds((view, decision) => {
      expect(flaw(decision)).toBeUndefined();
      expect(decision.actions.filter((action) => action.do === 'status').length).toBeLessThanOrEqual(1);
      for (const action of decision.actions) {
        if (action.do === 'status') expect(action.status).toEqual(JSON.parse(JSON.stringify(action.status)));
      }
      expect(decideBlueGreen(structuredClone(view))).toEqual(decision);
    });
  });

  it('nothing is done for a resource that is being deleted', () => {
    holds(({ resource }, { actions }) => {
      if (resource.metadata.deletionTimestamp !== undefined) expect(actions).toEqual([]);
    });
  });

  it('the table is asked a few times at most', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(rowsOf(view).length).toBeLessThan(8);
      }),
      { numRuns: 200 },
    );
  });

  it('a side is made only under a free name, one at a time, and never beside a deletion of the same name', () => {
    holds(({ sides }, { actions }) => {
      const made = onSides(actions, 'create').map((action) => ('object' in action ? action.object.metadata.name : ''));
      expect(made.length).toBeLessThanOrEqual(1);
      for (const one of made) expect(sides[colorOf(one)]).toBeUndefined();
    });
  });

  it('the old side is deleted only with the other one ready in the same view, by version, and with that written down', () => {
    holds(({ resource, sides }, { actions }, { transition }) => {
      for (const action of onSides(actions, 'delete')) {
        if (action.do !== 'delete') continue;
        const color = colorOf(action.of.name);
        const side = sides[color];
        expect(action.of.uid).toBe(side?.ref.uid);
        expect(side?.owners).toContain(uid);
        const before = resource.status;
        if (color !== (before?.transition ? before.transition.from : before?.serving?.color)) continue;
        const successor = sideOf({ name, uid }, other(color), sides[other(color)]);
        expect(isReady(successor) && successor.current).toBe(true);
        expect(action.of.resourceVersion).toBe(side?.ref.resourceVersion);
        expect(transition?.retire?.uid).toBe(action.of.uid);
      }
    });
  });

  it('the side that serves is not deleted', () => {
    holds((_, { actions }, { serving }) => {
      for (const action of onSides(actions, 'delete')) {
        if (action.do === 'delete') expect(serving?.color).not.toBe(colorOf(action.of.name));
      }
    });
  });

  it('a side is patched only in the version that was looked at, and never a stranger’s', () => {
    holds(({ sides }, { actions }) => {
      for (const action of onSides(actions, 'patch')) {
        if (action.do !== 'patch') continue;
        const side = sides[colorOf(action.of.name)];
        expect(action.of).toEqual(side?.ref);
        expect(side?.owners).toContain(uid);
        expect(side?.terminating).toBe(false);
      }
    });
  });

  it('no Ingress is applied that leads to a side that is not there, or over somebody else’s', () => {
    holds(({ sides, ingress, preview, operator }, { actions }) => {
      for (const action of actions) {
        if (action.do !== 'apply') continue;
        expect(operator.settings).toEqual({});
        const [service] = JSON.stringify(action.object).match(/counter-(blue|green)-rest/) ?? [];
        const side = sides[colorOf(service?.replace('-rest', ''))];
        expect(side?.terminating).toBe(false);
        expect(side?.owners).toContain(uid);
        const there = action.object.metadata.name === name ? ingress : preview;
        if (there) expect(there.owners).toContain(uid);
      }
    });
  });

  it('attempts never go back, and a new side has an id that no earlier one had', () => {
    holds(({ resource }, { actions }, status) => {
      expect(status.attempt ?? 0).toBeGreaterThanOrEqual(resource.status?.attempt ?? 0);
      const [before, after] = [resource.status?.transition?.targetId, status.transition?.targetId];
      if (before !== undefined && after !== undefined && before !== after) {
        expect(status.attempt ?? 0).toBeGreaterThan(resource.status?.attempt ?? 0);
      }
      for (const action of onSides(actions, 'create')) {
        if (action.do === 'create')
          expect(action.object.metadata.annotations?.['cutover.dev/id']).toMatch(/^uid-1-\d+$/);
      }
    });
  });

  it('a redeploy nonce counts as acted upon only with a side that is made for it or has it, or an edit that is taken back', () => {
    holds(({ resource, sides }, { actions }, { nonces, history }) => {
      const { status } = resource;
      const after = nonces?.savepointRedeploy;
      if (status?.nonces?.savepointRedeploy === after || (!status?.serving && !status?.transition)) return;
      // A transition that came to nothing gives back what it took.
      const before = { ...status.transition?.noncesBefore, ...status.aborted?.noncesBefore };
      if (after === before.savepointRedeploy) return;
      const made = onSides(actions, 'create').length > 0;
      const has = colors.some((color) => sides[color]?.spec.job?.savepointRedeployNonce === after);
      const over = history?.[0]?.outcome === 'cancelled' || history?.[0]?.outcome === 'promoted';
      const recorded = status.lastReconciledSpec?.includes(`"savepointRedeployNonce":${after}`);
      expect(made || has || over || recorded || status.aborted !== undefined).toBe(true);
    });
  });

  it('what is written is decided on alike: a world that stands still is soon left alone', () => {
    fc.assert(
      fc.property(views, (view) => {
        new Story(view).settle();
      }),
      { numRuns: 200 },
    );
  });
});
