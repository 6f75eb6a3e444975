import { createHash } from 'node:crypto';

/** The full name of an image: `nginx` is `docker.io/library/nginx:latest`. */
export function fullImageName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasRegistry ? image : rest.length > 0 ? `docker.io/${image}` : `docker.io/library/${image}`;
  return path.includes('@') || /:[^/]+$/.test(path) ? path : `${path}:latest`;
}

/** Whether an image is in a registry that nobody can ever reach: names under `invalid` are reserved for that. */
export function isNowhere(image: string): boolean {
  return /\.invalid(:\d+)?$/.test(fullImageName(image).split('/')[0] ?? '');
}

/** The digest under which a node knows an image; the same for the same name. */
export function imageId(image: string): string {
  const name = fullImageName(image);
  if (name.includes('@')) return name;
  const digest = createHash('sha256').update(name).digest('hex');
  return `${name.replace(/:[^/:]+$/, '')}@sha256:${digest}`;
}

/** A believable size in bytes. */
export function imageSize(image: string): number {
  return 4_000_000 + (Number.parseInt(createHash('sha256').update(image).digest('hex').slice(0, 8), 16) % 180_000_000);
}
