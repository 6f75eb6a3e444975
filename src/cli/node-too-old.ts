/** Why this Node cannot run the program, or nothing. `needs` is what package.json says of engines: `>=24`. */
export function nodeTooOld(version: string, needs: string): string | undefined {
  const least = Number(/\d+/.exec(needs)?.[0] ?? 0);
  if (Number.parseInt(version, 10) >= least) return undefined;
  return `this is Node ${version}, and Node ${least} or newer is needed; npm ci brings one along in node_modules/.bin`;
}
