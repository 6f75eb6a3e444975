/** The last part of an image's path, without registry, tag and digest: `nginx` of `docker.io/library/nginx:1.29`. */
export function imageName(image: string): string {
  const path = image.split('@')[0] ?? '';
  return (path.split('/').at(-1) ?? '').split(':')[0] ?? '';
}
