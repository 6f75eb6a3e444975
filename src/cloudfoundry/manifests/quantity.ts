/** Mebibytes as Kubernetes writes them: `1Gi`, `128Mi`. */
export function memoryQuantity(mebibytes: number): string {
  return mebibytes % 1024 === 0 && mebibytes !== 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}
