import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { name, versionName, type WalkStage } from './walk-stage.ts';
import type { Witness } from './witness.ts';

/** What is not as it should be when nothing moves any more, and the Instance is there. */
export function wrongAtRest(stage: WalkStage): readonly string[] {
  const { metadata, spec, status } = stage.instance(name);
  const found: string[] = [];
  if (metadata.deletionTimestamp !== undefined) found.push('it is being deleted, and does not go');
  if (status?.execution) found.push(`plan ${status.execution.plan} still runs: ${JSON.stringify(status.planStatus)}`);
  const letter = spec.planExecution?.planName ?? '';
  if (letter !== '' && !status?.letter?.declined) found.push(`the letter ${letter} was not dealt with`);
  if (stage.condition(name, 'Waiting')) found.push('a change waits for nothing');
  const accepted = status?.conditions?.find(({ type }) => type === 'Accepted');
  if (accepted?.status === 'False' && accepted.message === '') found.push('it does not say why it refuses');
  if (accepted?.status === 'True' || status?.letter?.declined) {
    const [wanted, taken] = [spec.parameters ?? {}, status?.accepted?.parameters ?? {}];
    const same = canonical(wanted) === canonical(taken);
    const refused =
      accepted?.status === 'False' && accepted.reason !== 'UnknownPlan' && accepted.reason !== 'CleanupByUser';
    if (!same && !refused) found.push(`accepted is ${canonical(taken)}, and asked for was ${canonical(wanted)}`);
  }
  return found;
}

/** What is not as accepted after a complete `deploy` without a restart of its own. */
export function wrongAfterDeploy(stage: WalkStage, witness: Witness): readonly string[] {
  const { status } = stage.instance(name);
  const found: string[] = [];
  if (stage.last(name) !== 'deploy COMPLETE') found.push(`the last deploy: ${JSON.stringify(status?.history?.[0])}`);
  const { parameters = {}, operatorVersion } = status?.accepted ?? {};
  const { NODES = '2', LEVEL = 'info', MODE = 'plain', SIDE = 'a' } = parameters;
  const image = operatorVersion?.name === versionName(1) ? 'app:1' : 'app:2';
  const [config, side] = ['node', 'side'].map((one) => stage.find<Config>(kinds.configMaps, `${name}-${one}`)?.data);
  const set = stage.find<Sized>(kinds.statefulSets, `${name}-node`);
  const deployment = stage.find<Sized>(kinds.deployments, `${name}-side`);
  const expected = { config: `level=${LEVEL}`, side: SIDE, nodes: Number(NODES), mode: MODE, images: [image, image] };
  const [main] = set?.spec.template.spec.containers ?? [];
  const actual = {
    config: config?.['app.conf']?.replace(/ extra=\d/, ''),
    side: side?.['side.conf'],
    nodes: set?.spec.replicas,
    mode: main?.env?.[0]?.value,
    images: [main?.image, deployment?.spec.template.spec.containers[0]?.image],
  };
  if (canonical(actual) !== canonical(expected)) found.push(`it is ${canonical(actual)}, not ${canonical(expected)}`);
  for (const which of ['node', 'side']) if (witness.owed(which)) found.push(`a restart is owed to ${which}`);
  found.push(...witness.outdated());
  if (status?.restart) found.push(`${JSON.stringify(status.restart)} is left`);
  if (stage.condition(name, 'Ready') !== 'True ResourcesReady') found.push(`it is ${stage.condition(name, 'Ready')}`);
  if (stage.condition(name, 'Drifted')) {
    const drifted = status?.conditions?.find(({ type }) => type === 'Drifted')?.message ?? '';
    if (!drifted.startsWith('ConfigMap one-note')) found.push(drifted);
  }
  return found;
}

type Config = AnyObject & { readonly data?: Readonly<Record<string, string>> };

type Sized = AnyObject & {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
};

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly value: string }[];
}

function canonical(value: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
}
