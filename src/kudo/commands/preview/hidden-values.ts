import type { KubeObject } from '../../../kube/object.ts';

type Values = Readonly<Record<string, unknown>>;

export function isSecret({ kind }: KubeObject): boolean {
  return kind === 'Secret';
}

/** The object without values of a Secret. With another to compare with, values that differ are marked. */
export function hiddenValues(
  object: KubeObject,
  other?: { readonly object: KubeObject; readonly mark: string },
): KubeObject {
  if (!isSecret(object)) return object;
  const shown: Record<string, unknown> = { ...object };
  for (const field of ['data', 'stringData']) {
    const values = shown[field];
    if (values === undefined || values === null) continue;
    shown[field] = isValues(values)
      ? hidden(values, other && (other.object as unknown as Values)[field], other?.mark)
      : '***';
  }
  return shown as unknown as KubeObject;
}

function hidden(values: Values, others: unknown, mark: string | undefined): Values {
  return Object.fromEntries(
    Object.keys(values).map((name) => {
      const same = isValues(others) && Object.hasOwn(others, name) && others[name] === values[name];
      return [name, mark === undefined || same ? '***' : `*** (${mark})`];
    }),
  );
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
