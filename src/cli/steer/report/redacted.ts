const gone = '(redacted)';
/** Deeper than any object of Kubernetes; what is below is not worth the risk. */
const deepest = 64;
const longest = 4096;

/** Words in names of settings that nobody should send to strangers; `containerized.master.env.X` is a variable. */
const telling =
  /pass(word|wd|phrase)|pass$|pwd|secret|token|credential|private|api[-_.]?key|access[-_.]?key|\bauth\b|header|kubeconfig|(^|[.\]])env[.[]/i;
/** Names that speak of such settings without holding one. */
const harmlessNames = /(name|ref|class|type|kind|path|policy|count|seconds|enabled|namespace|mount\w*|projection)$/i;
/** Lists of names with values: variables of a container, headers of a probe. */
const named = new Set(['env', 'httpHeaders']);
/** Copies of whole objects, and what nobody reads. */
const leftOut = new Set(['managedFields', 'kubectl.kubernetes.io/last-applied-configuration']);

/**
 * An object for other people's eyes: without the data of Secrets, the values of environment variables, settings whose names tell
 * that they are secret, and passwords in addresses; also where a status or an annotation keeps a copy of it as JSON. Names stay,
 * so that it can still be understood.
 */
export function redacted(object: unknown): unknown {
  return clean(object, 0);
}

function clean(value: unknown, depth: number): unknown {
  if (depth > deepest) return gone;
  if (typeof value === 'string') return text(copyOf(value, depth));
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !leftOut.has(key));
  const sealed = sealedIn(value);
  return Object.fromEntries(entries.map(([key, member]) => [key, of(key, member, sealed, depth)]));
}

/** The members that are not shown because of what they are members of. */
function sealedIn({ kind, path }: Readonly<Record<string, unknown>>): readonly string[] {
  if (kind === 'Secret') return ['data', 'stringData'];
  // A change of a field, whose name is not a key here.
  return typeof path === 'string' && telling.test(path) ? ['from', 'to'] : [];
}

/** A string that is an object in JSON, such as the specification that was reconciled last, without what the object has to hide. */
function copyOf(value: string, depth: number): string {
  if (!/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.stringify(clean(JSON.parse(value), depth + 1));
  } catch {
    return value;
  }
}

function of(key: string, member: unknown, sealed: readonly string[], depth: number): unknown {
  if (sealed.includes(key)) return hidden(member);
  if (named.has(key) && Array.isArray(member)) return member.map((one) => withoutValue(one, depth));
  if (isScalar(member) && telling.test(key) && !harmlessNames.test(key)) return gone;
  return clean(member, depth + 1);
}

/** Where a value comes from is not secret; the value may be. */
function withoutValue(one: unknown, depth: number): unknown {
  if (!isMap(one)) return gone;
  const { value, ...rest } = one;
  return { ...(clean(rest, depth + 1) as object), ...(value !== undefined && { value: gone }) };
}

/** Which keys there are. */
function hidden(member: unknown): unknown {
  return isMap(member) ? Object.fromEntries(Object.keys(member).map((key) => [key, gone])) : gone;
}

/**
 * `https://user:password@host` → `https://(redacted)@host`, `password=x` in a command line, `Bearer x`, secrets in what tells of a
 * changed specification, and nothing without end.
 */
export function text(value: string): string {
  const short = value.length > longest ? `${value.slice(0, longest)}… (${value.length} characters)` : value;
  return withoutValuesInDiff(short)
    .replace(/(\w:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,400}@/g, `$1${gone}@`)
    .replace(
      /((?:password|passwd|secret|token|api[-_.]?key|access[-_.]?key)["']?\s?[=:]\s?)(?!\(redacted\))[^\s,;&]{1,400}/gi,
      `$1${gone}`,
    )
    .replace(/\b((?:bearer|basic)\s+)(?!\(redacted\))[\w.~+/=-]{8,}/gi, `$1${gone}`)
    .replace(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, gone);
}

/**
 * Events and log lines about a changed specification, of whichever operator: `(Diff: FlinkDeploymentSpec[a.b : 1 -> 2, c : x -> y])`.
 * What is told of a place with a telling name is not shown, and nothing of a place that has the variables of a pod in it.
 */
function withoutValuesInDiff(value: string): string {
  const start = value.indexOf('(Diff: ');
  if (start < 0) return value;
  const parts = value.slice(start).split(/((?:, |\[)(?=[\w.~[\]-]+ : ))/);
  const whole: string[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    // What looks like the next place may stand in a value.
    if (last !== undefined && holdsValue.test(last) && !isClosed(last)) whole[whole.length - 1] = last + part;
    else whole.push(part);
  }
  const shown = whole.map((part) => {
    const [path = '', ...rest] = part.split(' : ');
    return rest.length > 0 && (telling.test(path) || holdsValue.test(part)) ? `${path} : ${gone}` : part;
  });
  return value.slice(0, start) + shown.join('');
}

const holdsValue = /"value\\*":/;

/** Whether what was begun in it as JSON also ends in it. */
function isClosed(part: string): boolean {
  const count = (of: RegExp): number => part.match(of)?.length ?? 0;
  return count(/\{/g) === count(/\}/g) && count(/"/g) % 2 === 0;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
