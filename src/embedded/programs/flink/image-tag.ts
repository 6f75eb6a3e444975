/** The tag of an image: `1.20` of `docker.io/library/flink:1.20@sha256:…`; empty when it has none. */
export function imageTag(image: string): string {
  const path = image.split('@')[0] ?? '';
  return (path.split('/').at(-1) ?? '').split(':')[1] ?? '';
}
