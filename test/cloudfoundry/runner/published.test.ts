import { describe, expect, it } from 'vitest';
import { labels } from '../../../src/cloudfoundry/keys.ts';
import { disruptionBudget } from '../../../src/cloudfoundry/manifests/disruption-budget.ts';
import { statefulSet } from '../../../src/cloudfoundry/manifests/stateful-set.ts';
import type { StatefulSet } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import type { AppWorkload } from '../../../src/cloudfoundry/resources/app-workload.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import { TestWorld } from '../../../src/embedded/controllers/test-world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import recorded from './published.json' with { type: 'json' };

/** What Korifi made of a workload, at one stage of its life. */
interface Published {
  readonly workload: KubeObject;
  readonly statefulSet: KubeObject;
  readonly budget?: KubeObject;
}

const published = recorded as unknown as Readonly<Record<string, Published>>;
const application = '/spec/template/spec/containers/0';

/** Where ours differ from the published ones on purpose. */
const differences: Readonly<Record<string, string>> = {
  '/metadata/annotations/cutover.dev~1id': 'by it a creation that was interrupted is recognised',
  [`${application}/imagePullPolicy`]: 'an image that is there is run although its registry cannot be reached',
  [`${application}/lifecycle`]: 'an instance answers until those who send to it have heard that it ends',
  '/spec/template/spec/terminationGracePeriodSeconds': 'the sleep before the end does not shorten the end',
  '/spec/updateStrategy/rollingUpdate/maxUnavailable': 'the recorded server was older, and had no such field',
};

/** The object as an API server keeps it, with its defaults. */
async function stored(type: (typeof kinds)['statefulSets'], object: KubeObject): Promise<AnyObject> {
  const made = (await new TestWorld().create(type, object)) as unknown as AnyObject;
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _time,
    generation: _number,
    ...metadata
  } = made.metadata;
  const { status: _status, ...rest } = made;
  return { ...rest, metadata } as AnyObject;
}

/** The paths at which two values differ, as JSON pointers. */
function differing(left: unknown, right: unknown, path = ''): readonly string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return [path];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return differing(Reflect.get(left, name), Reflect.get(right, name), pointer);
  });
}

describe.each(Object.entries(published))(
  'what the runner makes at the stage %s',
  (_, { workload, statefulSet: set, budget }) => {
    it('is the published StatefulSet, but for the listed differences', async () => {
      const ours = await stored(kinds.statefulSets, statefulSet(workload as AppWorkload, defaultSettings.runner));
      expect([...differing(ours, set)].sort()).toEqual(Object.keys(differences).sort());
    });

    it.runIf(budget)('is the published disruption budget, as it was made and then never changed', () => {
      const owner = { ...set, metadata: { ...set.metadata, uid: 'uid' } } as StatefulSet;
      const version = budget?.metadata.labels?.[labels.version] ?? '';
      const { spec, ...rest } = workload as AppWorkload;
      const made = disruptionBudget({ ...rest, spec: { ...spec, version } }, owner);
      const { annotations: _id, ...metadata } = made.metadata;
      const ownerReferences = budget?.metadata.ownerReferences?.map((one) => ({ ...one, uid: 'uid' }));
      expect({ ...made, metadata }).toEqual({ ...budget, metadata: { ...budget?.metadata, ownerReferences } });
    });
  },
);
