type Members = Readonly<Record<string, unknown>>;

/** Deeper than any pod; what lies below is taken as a whole. */
const deepest = 50;

/**
 * The common template with the more specific one laid over it. Objects are merged key by key. Lists are merged by
 * position, or, where asked for and all elements have names, by name: then new elements come last.
 */
export function mergeTemplates(common: unknown, specific: unknown, byName: boolean, depth = 0): unknown {
  if (specific === undefined || specific === null) return common;
  if (Array.isArray(common) && Array.isArray(specific) && depth < deepest) {
    return byName && [...common, ...specific].every(isNamed)
      ? mergedByName(common, specific, depth)
      : mergedByPosition(common, specific, byName, depth);
  }
  if (!isObject(common) || !isObject(specific) || depth >= deepest) return specific;
  const keys = new Set([...Object.keys(common), ...Object.keys(specific)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, mergeTemplates(own(common, key), own(specific, key), byName, depth + 1)]),
  );
}

function mergedByPosition(common: readonly unknown[], specific: readonly unknown[], byName: boolean, depth: number) {
  const longer = common.length > specific.length ? common : specific;
  return longer.map((_, index) => mergeTemplates(common[index], specific[index], byName, depth + 1));
}

interface Named {
  readonly name: string;
}

/** Names may repeat (a volume that is mounted twice): the first stands for the first. */
function mergedByName(common: readonly Named[], specific: readonly Named[], depth: number): unknown[] {
  const rest = [...specific];
  const merged = common.map((element) => {
    const index = rest.findIndex(({ name }) => name === element.name);
    return index < 0 ? element : mergeTemplates(element, rest.splice(index, 1)[0], true, depth + 1);
  });
  return [...merged, ...rest];
}

function isNamed(element: unknown): element is Named {
  return isObject(element) && typeof own(element, 'name') === 'string';
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(object: Members, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
