/** The part of a structural schema that decides which fields survive a write. */
export interface FieldTree {
  readonly properties?: Readonly<Record<string, FieldTree>>;
  readonly items?: FieldTree;
  readonly additionalProperties?: boolean | FieldTree;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

/**
 * The fields of `ours` that a server with the schema `installed` would silently drop: `status.transition.id`. Empty
 * when the installed definition has room for everything we write.
 */
export function prunedFields(ours: FieldTree, installed: FieldTree, path = ''): readonly string[] {
  if (installed['x-kubernetes-preserve-unknown-fields']) return [];
  const lost: string[] = [];
  for (const [name, field] of Object.entries(ours.properties ?? {})) {
    // The server itself looks after the metadata of every object, embedded ones included.
    if (name === 'metadata' && (path === '' || ours['x-kubernetes-embedded-resource'])) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const there = own(installed.properties, name) ?? additional(installed);
    if (there === undefined) lost.push(at);
    else if (there !== 'anything') lost.push(...prunedFields(field, there, at));
  }
  if (ours.items && installed.items) lost.push(...prunedFields(ours.items, installed.items, `${path}[]`));
  const values = additional(ours);
  if (values !== undefined) lost.push(...prunedValues(values, installed, path));
  if (ours['x-kubernetes-preserve-unknown-fields']) lost.push(`${path}.*`);
  return lost;
}

/** What becomes of the values of a free-form map. */
function prunedValues(values: FieldTree | 'anything', installed: FieldTree, path: string): readonly string[] {
  const there = additional(installed);
  if (there === undefined) return [`${path}.*`];
  return values === 'anything' || there === 'anything' ? [] : prunedFields(values, there, `${path}.*`);
}

function own(properties: FieldTree['properties'], name: string): FieldTree | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function additional(tree: FieldTree): FieldTree | 'anything' | undefined {
  const { additionalProperties } = tree;
  return additionalProperties === true ? 'anything' : additionalProperties || undefined;
}
