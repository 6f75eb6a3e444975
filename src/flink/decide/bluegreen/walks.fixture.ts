import fc from 'fast-check';
import type { Decision } from '../../../control/decision.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { annotations } from './annotations.ts';
import { jobOf, other } from './blue-green-case.ts';
import { kindOf, type Story } from './story.fixture.ts';
import { configured, type Edit, type HealthName, image, job, patchable } from './view.fixture.ts';

/** Something that happens to a blue/green deployment. */
export interface Happening {
  readonly what: string;
  readonly to: (story: Story) => void;
}

const edit = (what: string, make: (story: Story) => Edit): Happening => ({
  what,
  to: (story) => void story.edit(make(story)),
});

const nonceOf = ({ view }: Story, key: 'savepointRedeployNonce' | 'statelessRedeployNonce') =>
  (jobOf(view.resource.spec)[key] ?? 0) + 1;

const edits: readonly Happening[] = [
  ...['app:1', 'app:2', 'app:3'].map((name) => edit(`image ${name}`, () => image(name))),
  ...['3', '4'].map((value) => edit(`patch ${value}`, () => patchable(value))),
  edit('savepoint nonce', (story) => {
    const savepointRedeployNonce = nonceOf(story, 'savepointRedeployNonce');
    return job({ savepointRedeployNonce, initialSavepointPath: `s3://mine/${savepointRedeployNonce}` });
  }),
  edit('stateless nonce', (story) => job({ statelessRedeployNonce: nonceOf(story, 'statelessRedeployNonce') })),
  edit('suspend', () => job({ state: 'suspended' })),
  edit('resume', () => job({ state: 'running' })),
  edit('stateless', () => job({ upgradeMode: 'stateless' })),
  edit('stateful', () => job({ upgradeMode: 'savepoint' })),
  edit('manual', () => configured({ promotion: 'manual' })),
  edit('automatic', () => configured({ promotion: 'automatic' })),
];

const onSide = (what: string, to: (story: Story, color: Color) => void): readonly Happening[] =>
  colors.map((color) => ({
    what: `${color} ${what}`,
    to: (story) => {
      if (story.view.sides[color]) to(story, color);
    },
  }));

const healthy = (health: HealthName) =>
  onSide(`becomes ${health}`, (story, color) => {
    if (story.side(color).spec.job?.state !== 'suspended') story.becomes(color, health);
  });

const left = (n: number) => ({ jobStatus: { state: 'CANCELED' as const, upgradeSavepointPath: `s3://cp/${n}` } });

const others: readonly Happening[] = [
  ...(['ready', 'ready', 'settling', 'failing', 'failed', 'lost'] as const).flatMap(healthy),
  ...onSide('is suspended as it was told', (story, color) => {
    if (story.side(color).spec.job?.state === 'suspended') story.becomes(color, 'suspended', left(1));
  }),
  ...onSide('is deleted by hand', (story, color) => {
    story.seen(color, { terminating: true, terminatingSince: story.view.now });
  }),
  ...onSide('is gone', (story, color) => {
    if (story.side(color).terminating) story.gone(color);
  }),
  ...[1_000, 5_000, 60_000, 600_000].map((ms) => ({
    what: `${ms} ms pass`,
    to: (story: Story) => void story.passes(ms),
  })),
  ...(['COMPLETED', 'FAILED'] as const).map((state) => ({
    what: `savepoint ${state}`,
    to: (story: Story) => {
      const last = story.view.snapshots.at(-1);
      if (last && !last.status) story.savepoint({ state, path: `s3://sp/${story.view.snapshots.length}` });
    },
  })),
  ...[annotations.promote, annotations.rollback].map((annotation) => ({
    what: annotation,
    to: (story: Story) => void story.annotate({ [annotation]: story.status.transition?.id ?? '' }),
  })),
];

/** The operator looks, and may die before its so manyth action. */
const looks: readonly Happening[] = [0, 1, 2, undefined, undefined, undefined].map((most) => ({
  what: most === undefined ? 'look' : `look, ${most} actions`,
  to: (story) => {
    const before = story.view;
    judge(story, before.sides, story.look(most));
  },
}));

/** What happens one after the other, with a look now and then. */
export const walks: fc.Arbitrary<readonly Happening[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...looks) },
      { weight: 2, arbitrary: fc.constantFrom(...edits) },
      { weight: 4, arbitrary: fc.constantFrom(...others) },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((list) => list.map((one) => ({ ...one, toString: () => one.what, [fc.toStringMethod]: () => one.what })));

/** What must hold of every single decision, whatever came before. */
export function judge(story: Story, before: Story['view']['sides'], { actions }: Decision): void {
  const status = (actions.find((action) => action.do === 'status')?.status ?? story.status) as Story['status'];
  for (const action of actions) {
    if (kindOf(action) !== 'FlinkDeployment') continue;
    if (action.do === 'delete') {
      const color = colors.find((one) => before[one]?.ref.uid === action.of.uid);
      if (!color) throw new Error(`deletes ${action.of.name}, which is not there`);
      if (status.serving?.color === color) throw new Error(`deletes ${color}, which serves`);
      const successor = before[other(color)]?.status.lifecycleState === 'STABLE';
      if (status.transition?.from === color && !successor) throw new Error(`deletes ${color} without a successor`);
    }
    if (action.do === 'create') {
      const object = action.object as { spec?: { job?: { upgradeMode?: string; initialSavepointPath?: string } } };
      const { upgradeMode, initialSavepointPath } = object.spec?.job ?? {};
      const empty = upgradeMode !== 'stateless' && initialSavepointPath === undefined;
      const cause = status.transition?.cause;
      if (empty && cause !== 'stateless-redeploy' && cause !== 'first-deployment') throw new Error('starts empty');
    }
  }
}
