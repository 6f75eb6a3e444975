/** One condition on a label. `!=` and `notin` also hold when the label is absent, as in Kubernetes. */
export type Requirement =
  | { readonly key: string; readonly operator: 'in' | 'notin'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'exists' | 'absent' }
  | { readonly key: string; readonly operator: '>' | '<'; readonly value: string };

/** Whether labels satisfy one requirement. */
export function satisfies(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'notin':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case '>':
      return integer.test(value ?? '') && BigInt(value ?? 0) > BigInt(requirement.value);
    case '<':
      return integer.test(value ?? '') && BigInt(value ?? 0) < BigInt(requirement.value);
  }
}

const integer = /^[+-]?\d{1,19}$/;
const namePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a label's key, in Kubernetes' words; `undefined` when nothing is. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const problems: string[] = [];
  if (parts.length > 2) {
    return `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else {
      if (prefix.length > 253) problems.push('prefix part must be no more than 253 bytes');
      if (!prefixPart.test(prefix)) problems.push(`prefix part ${subdomainRule}`);
    }
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!namePart.test(name)) problems.push(`name part ${nameRule}`);
  return problems.length === 0 ? undefined : problems.join('; ');
}

/** What is wrong with a label's value, in Kubernetes' words; `undefined` when nothing is. */
export function labelValueProblem(value: string): string | undefined {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (value !== '' && !namePart.test(value)) problems.push(valueRule);
  return problems.length === 0 ? undefined : problems.join('; ');
}

/** Whether `>` and `<` can compare with it. */
export function isInteger(value: string): boolean {
  return integer.test(value);
}

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
