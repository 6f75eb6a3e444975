import { isObject, member } from '../../change/equal.ts';

/** JSON with sorted keys, of any depth: it needs no stack that hostile input could exhaust. */
export function sortedJson(value: unknown): string {
  const pending: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  let json = '';
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) {
      json += next.text;
    } else if (Array.isArray(next.value)) {
      pending.push({ text: ']' });
      for (const [index, element] of [...next.value.entries()].reverse()) {
        pending.push({ value: element }, { text: index > 0 ? ',' : '' });
      }
      pending.push({ text: '[' });
    } else if (isObject(next.value)) {
      pending.push({ text: '}' });
      for (const [index, name] of [...Object.keys(next.value).sort().entries()].reverse()) {
        const comma = index > 0 ? ',' : '';
        pending.push({ value: member(next.value, name) }, { text: `${comma}${JSON.stringify(name)}:` });
      }
      pending.push({ text: '{' });
    } else {
      json += JSON.stringify(next.value) ?? 'null';
    }
  }
  return json;
}
