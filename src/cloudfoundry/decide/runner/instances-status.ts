import { type InstancesStatus, mostInstancesShown } from '../../resources/instances-status.ts';
import type { Instance } from './instance.ts';

type InstanceStatus = InstancesStatus[string];

interface Wanted {
  readonly wanted: number;
  readonly version: string;
  /** The revision is held back at its canaries. */
  readonly held: boolean;
  /** Why instances of it do not come up. */
  readonly error?: string | undefined;
}

/**
 * How each wanted instance stands: always as many as are wanted, and never RUNNING by a pod of another revision, for whoever
 * waits for this one would take that for its success.
 *
 * While a revision is held back (`held`), its canaries beyond the wanted number are shown too: the only canary of a small app
 * is the extra one, and without it nothing of the revision would be seen to run. That the others run the revision before is
 * then as it should be, and nothing to be told of as a trouble.
 */
export function instancesStatus(
  instances: readonly Instance[],
  { wanted, version, held, error }: Wanted,
): InstancesStatus {
  const byOrdinal = new Map(instances.map((instance) => [instance.ordinal, instance]));
  const ordinals = Array.from({ length: Math.min(wanted, mostInstancesShown) }, (_, index) => index);
  const canaries = instances.filter((one) => held && one.ordinal >= wanted && one.version === version);
  return Object.fromEntries(
    [...ordinals, ...canaries.map(({ ordinal }) => ordinal)].map((ordinal) => {
      const { details, ...shown } = status(byOrdinal.get(ordinal), version, error);
      const waits = held && byOrdinal.get(ordinal)?.version !== version;
      return [String(ordinal), { ...shown, ...(details !== undefined && !waits && { details }) }];
    }),
  );
}

function status(instance: Instance | undefined, version: string, error: string | undefined): InstanceStatus {
  if (!instance) return { state: 'DOWN' };
  const { state, since, trouble, ending, ready } = instance;
  if (instance.version !== version) {
    const stays = `revision ${instance.version} ${ready ? 'still serves here' : 'is being replaced here'}`;
    // Whoever waits for the new one is told why it does not come.
    const details = error === undefined ? stays : `${error}; ${stays}`;
    return { state: 'STARTING', details };
  }
  // No trouble, so no details: people would be told of an error.
  if (ending) return { state: 'STARTING' };
  return { state, ...(since && { timestamp: since }), ...(trouble !== undefined && { details: trouble }) };
}
