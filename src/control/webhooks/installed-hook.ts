import type { DeclaredHook } from './declared-hook.ts';

/** An entry of a webhook configuration, except for where the server is and which namespaces are left out. */
export interface InstalledHook {
  readonly name: string;
  readonly path: string;
  readonly kind: DeclaredHook['kind'];
  readonly failurePolicy: 'Ignore';
  readonly matchPolicy: 'Equivalent';
  readonly sideEffects: 'None';
  readonly timeoutSeconds: number;
  readonly admissionReviewVersions: readonly ['v1'];
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly operations: DeclaredHook['operations'];
    readonly resources: readonly string[];
    readonly scope: 'Namespaced' | 'Cluster';
  }[];
}

/** Whoever writes waits for the answer; hooks that look something up give up after three seconds. */
const timeoutSeconds = 5;

/**
 * How a hook is to be installed.
 *
 * `Ignore`: what cannot be asked is let through. Controllers judge again by the same rules, so nothing is lost but the early
 * word; with `Fail` an outage of the operator would also forbid the edit that ends it. `None`: hooks change nothing but the
 * object itself, so they are asked on dry runs too.
 */
export function installedHook({ name, path, kind, types, operations }: DeclaredHook): InstalledHook {
  const groups = Object.groupBy(types, ({ group, version, namespaced }) => `${group} ${version} ${namespaced}`);
  return {
    name,
    path,
    kind,
    failurePolicy: 'Ignore',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds,
    admissionReviewVersions: ['v1'],
    rules: Object.values(groups).flatMap((same = []) =>
      same.slice(0, 1).map(({ group, version, namespaced }) => ({
        apiGroups: [group],
        apiVersions: [version],
        operations,
        resources: same.map(({ plural }) => plural),
        scope: namespaced ? ('Namespaced' as const) : ('Cluster' as const),
      })),
    ),
  };
}
