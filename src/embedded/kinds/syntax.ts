/** Kubernetes' rules for names and labels. Each answers with what is wrong, in Kubernetes' words; nothing is right. */
export type Syntax = (value: string) => readonly string[];

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelText = `(${qualified})?`;

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const label1123Pattern = whole(label1123);
const subdomain1123Pattern = whole(subdomain1123);
const label1035Pattern = whole(label1035);
const qualifiedPattern = whole(qualified);
const labelTextPattern = whole(labelText);

const overLong = (length: number): string => `must be no more than ${length} characters`;

function unlike(rule: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (${shown && `e.g. ${shown}`}regex used for validation is '${pattern}')`;
}

export const dns1123Label: Syntax = (value) => {
  const wrong: string[] = value.length > 63 ? [overLong(63)] : [];
  if (label1123Pattern.test(value)) return wrong;
  if (subdomain1123Pattern.test(value)) return [...wrong, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...wrong, unlike(rule, label1123, 'my-name', '123-abc')];
};

export const dns1123Subdomain: Syntax = (value) => {
  const wrong: string[] = value.length > 253 ? [overLong(253)] : [];
  if (value.length > 1024 || subdomain1123Pattern.test(value)) return wrong;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...wrong, unlike(rule, subdomain1123, 'example.com')];
};

export const dns1035Label: Syntax = (value) => {
  const wrong: string[] = value.length > 63 ? [overLong(63)] : [];
  if (label1035Pattern.test(value)) return wrong;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...wrong, unlike(rule, label1035, 'my-name', 'abc-123')];
};

/** Names of RBAC objects: anything that can be one segment of a path. */
export const pathSegment: Syntax = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((sign) => value.includes(sign)).map((sign) => `may not contain '${sign}'`);
};

const bytesAtMost = (length: number): string => `must be no more than ${length} bytes`;

export const labelKey: Syntax = (value) => {
  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const examples = ['MyName', 'my.name', '123-abc'];
  const parts = value.split('/');
  if (parts.length > 2) {
    const suffix = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${unlike(rule, qualified, ...examples)}${suffix}`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const wrong: string[] = [];
  if (prefix === '') wrong.push('prefix part must be non-empty');
  else if (prefix) wrong.push(...dns1123Subdomain(prefix).map((message) => `prefix part ${message}`));
  if (name === '') wrong.push('name part must be non-empty');
  else if (name.length > 63) wrong.push(`name part ${bytesAtMost(63)}`);
  if (!qualifiedPattern.test(name)) wrong.push(`name part ${unlike(rule, qualified, ...examples)}`);
  return wrong;
};

export const labelValue: Syntax = (value) => {
  const wrong: string[] = value.length > 63 ? [bytesAtMost(63)] : [];
  if (labelTextPattern.test(value)) return wrong;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...wrong, unlike(rule, labelText, 'MyValue', 'my_value', '12345')];
};

export const portNumber = (value: number): readonly string[] =>
  value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];

export const portName: Syntax = (value) => {
  const wrong: string[] = value.length > 15 ? [overLong(15)] : [];
  if (!/^[-a-z0-9]+$/.test(value)) {
    wrong.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) wrong.push('must contain at least one letter (a-z)');
  if (value.includes('--')) wrong.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) wrong.push('must not begin or end with a hyphen');
  return wrong;
};

export const envName: Syntax = (value) =>
  /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

export const configKey: Syntax = (value) => {
  const pattern = '[-._a-zA-Z0-9]+';
  const wrong: string[] = value.length > 253 ? [overLong(253)] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    wrong.push(unlike(rule, pattern, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (value === '.' || value === '..') wrong.push(`must not be '${value}'`);
  else if (value.startsWith('..')) wrong.push("must not start with '..'");
  return wrong;
};

export const percentage: Syntax = (value) =>
  /^[0-9]+%$/.test(value)
    ? []
    : [unlike("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];
