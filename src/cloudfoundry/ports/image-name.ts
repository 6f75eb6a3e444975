/** Where an image is: the parts of a name such as `registry.example:5000/team/app:1`. */
export interface ImageName {
  /** Host and, if it has one, port. */
  readonly host: string;
  readonly repository: string;
  /** Tag or digest. */
  readonly reference: string;
}

/** Where images are whose name says nothing else, and where its registry really answers. */
const hub = { host: 'docker.io', answersAt: 'registry-1.docker.io', official: 'library' };

const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const repositoryForm = new RegExp(`^${part}(?:/${part})*$`);
const hostForm = /^(?:[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/;
const tagForm = /^\w[-.\w]{0,127}$/;
const digestForm = /^sha256:[0-9a-f]{64}$/;
/** No registry takes longer ones. */
const longest = 512;

/** Reads the name of an image as container engines do. `undefined`: it is none. */
export function imageName(text: string): ImageName | undefined {
  if (text.length > longest) return undefined;
  const [name = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !digestForm.test(digest))) return undefined;
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const host = hasHost ? first : hub.host;
  const rest = hasHost ? name.slice(slash + 1) : name;
  const colon = rest.indexOf(':');
  const path = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? 'latest' : rest.slice(colon + 1);
  const repository = host === hub.host && !path.includes('/') ? `${hub.official}/${path}` : path;
  if (!hostForm.test(host) || !repositoryForm.test(repository) || !tagForm.test(tag)) return undefined;
  return { host, repository, reference: digest ?? tag };
}

/** The origin of a registry. Only one on this very machine is spoken to without TLS. */
export function originOf(host: string): string {
  if (host === hub.host) return `https://${hub.answersAt}`;
  return `${isLoopback(host) ? 'http' : 'https'}://${host}`;
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
