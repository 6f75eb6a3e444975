import type { Family } from '../portrait/family.ts';
import type { Common, Running } from './running.ts';

export interface FlinkRun {
  /** How JobManagers are reached. */
  readonly way: string;
  /** File or directory with the configuration of the family. */
  readonly flinkConfig?: string;
  /** The namespace of another operator for the same kinds, which may be alive; absent: ours alone is looked at. */
  readonly otherOperator?: string;
  /** The only namespaces that are looked at; absent or empty: as environment and configuration say. */
  readonly namespaces?: readonly string[];
}

export async function openFlink(
  { client, log, clock, random }: Common,
  { way, flinkConfig, otherOperator, namespaces = [] }: FlinkRun,
): Promise<Running> {
  const [{ flinkControllers, watchedNamespaces }, { openWire }, { watchOperatorConfig }] = await Promise.all([
    import('../flink/controllers.ts'),
    import('../flink/ports/open-wire.ts'),
    import('../flink/config/watch-operator-config.ts'),
  ]);
  const config = await watchOperatorConfig(flinkConfig, clock, (problem) =>
    log.warn({ problem }, 'the new configuration of Flink cannot be used; the one before it holds'),
  );
  const wire = openWire({ way, client, clock, env: process.env });
  const namespace = process.env.POD_NAMESPACE ?? process.env.OPERATOR_NAMESPACE;
  const scope = {
    operator: config.current,
    env: process.env,
    namespaces,
    ...(namespace !== undefined && { namespace }),
    ...(otherOperator !== undefined && { otherOperator }),
  };
  const family = async (): Promise<Family> => (await import('../flink/family.ts')).flinkFamily(config.current);
  return {
    family,
    namespaces: watchedNamespaces(scope),
    controllers: flinkControllers({ client, clock, random, wire, ...scope }),
    hooks: async (surroundings) => {
      const { flinkHooks } = await import('../flink/family.ts');
      return flinkHooks(await family(), surroundings);
    },
    close: async () => {
      config.stop();
      await wire.close();
    },
  };
}
