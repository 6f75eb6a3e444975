import { flinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { type Acts, commonMischief } from '../acts.ts';
import type { Mischief } from '../subject.ts';
import { namespace } from './person.ts';

/** What is done to Flink's resources and to what runs for them, besides the workloads. */
export const mischief = {
  ...commonMischief,
  'kill a TaskManager': { end: 'as if nothing' },
  'delete the Service': { end: 'as if nothing' },
  'drain the node of the TaskManagers': { end: 'as if nothing' },
  /** Where Flink recovers: elsewhere it rightly starts from what its JobManager was made with. */
  'drain the node': { end: 'as if nothing', workloads: ['last-state', 'redeploy'] },
  /** A change that no workload makes, and that restarts nothing. */
  'edit a setting': { end: 'as if later' },
  /** A change that demands an upgrade of its own, or goes along with another. */
  'ask for a restart': { end: 'as if later', workloads: ['savepoint', 'last-state', 'session'] },
  /** Where nothing is recorded that stays when the resource goes. */
  'delete the resource': { end: 'as if later', final: true, workloads: ['last-state', 'redeploy'] },
  'delete the namespace': { end: 'as if later', final: true },
} as const satisfies Readonly<Record<string, Mischief>>;

type Which = keyof typeof mischief;

const isTaskManager = ({ metadata }: AnyObject): boolean => metadata.labels?.component === 'taskmanager';
const isOfFlink = ({ metadata }: AnyObject): boolean => metadata.labels?.component !== undefined;

/** What people write that runs a job: no session cluster, and no side of a blue/green deployment. */
const isWritten = ({ kind, metadata, spec }: AnyObject): boolean =>
  !metadata.ownerReferences?.length && (kind !== 'FlinkDeployment' || (spec as { job?: object }).job !== undefined);

const written: readonly ResourceType[] = [flinkBlueGreenDeployment.type, flinkDeployment.type, flinkSessionJob.type];

const setting = 'kubernetes.operator.savepoint.history.max.count';

const edits: Partial<Record<Which, object>> = {
  'edit a setting': { flinkConfiguration: { [setting]: '7' } },
  'ask for a restart': { restartNonce: 7 },
};

/**
 * An end, as text, without what tells when somebody edited: the spec on record has the setting only if something was deployed since,
 * a side has one generation more if it was there by then, and there is one more savepoint on record if something was deployed for
 * that alone.
 */
export function withoutEdits(end: string): string {
  // A spec on record is text within text.
  const recorded = `\\"${setting}\\":\\"7\\"`;
  const without = end.replaceAll(`${recorded},`, '').replaceAll(`,${recorded}`, '').replaceAll(recorded, '');
  const objects = JSON.parse(without) as readonly Readonly<Record<string, unknown>>[];
  const texts = objects.map((one) => JSON.stringify(isSide(one) ? { ...one, observedGeneration: 'N' } : one));
  const isAgain = (text: string, index: number): boolean =>
    text.includes('-savepoint-upgrade-TIME') && texts.indexOf(text) < index;
  return `[${texts.filter((text, index) => !isAgain(text, index)).join()}]`;
}

function isSide({ kind, name }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'FlinkDeployment' && /-(blue|green)$/.test(String(name));
}

/** What is not there yet cannot be edited. */
export function canMeddle(which: string, acts: Acts): boolean {
  return !(which in edits) || written.some((type) => acts.present(type, isWritten).length > 0);
}

/** Whether there may be more savepoints than a workload takes, or fewer. */
export function isMoreOrLess(which: string): boolean {
  return which === 'ask for a restart' || (mischief as Record<string, Mischief>)[which]?.final === true;
}

export async function meddle(which: string, acts: Acts): Promise<void> {
  switch (which as Which) {
    case 'kill a TaskManager':
      return await acts.remove(kinds.pods, acts.present(kinds.pods, isTaskManager).slice(0, 1));
    case 'delete the Service':
      return await acts.remove(
        kinds.services,
        acts.present(kinds.services, ({ metadata }) => metadata.name?.endsWith('-rest') ?? false),
      );
    case 'drain the node of the TaskManagers':
      return await acts.drain(isTaskManager);
    case 'drain the node':
      return await acts.drain(isOfFlink);
    case 'edit a setting':
    case 'ask for a restart':
      for (const type of written) {
        for (const one of acts.present(type, isWritten))
          await acts.patch(type, one, edited(type, edits[which as Which]));
      }
      return;
    case 'delete the resource':
      for (const type of written) await acts.remove(type, acts.present(type, isWritten));
      return;
    case 'delete the namespace':
      return await acts.remove(
        kinds.namespaces,
        acts.present(kinds.namespaces, ({ metadata }) => metadata.name === namespace),
      );
    case 'label it':
    case 'pause it for a while':
      await acts.common(which, [flinkBlueGreenDeployment.type, flinkDeployment.type, flinkSessionJob.type]);
  }
}

function edited(type: ResourceType, spec: object | undefined): object {
  return type === flinkBlueGreenDeployment.type ? { spec: { template: { spec } } } : { spec };
}
