/** What Lua 5.3 reads and 5.1, which Argo CD has, does not: each with a name for people. */
const later: Readonly<Record<string, RegExp>> = {
  'integer division //': /\/\//,
  goto: /\bgoto\b/,
  labels: /::/,
  'bitwise operators': /[&|]|<<|>>|~(?!=)/,
  'library functions of later versions': /\b(?:utf8\.|table\.(?:pack|unpack|move)|math\.(?:type|tointeger))/,
};

/** What of a script Argo CD would not understand. Text and comments do not count. */
export function notIn51(script: string): readonly string[] {
  const code = script.replace(/--[^\n]*/g, '').replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
  return Object.entries(later).flatMap(([name, pattern]) => (pattern.test(code) ? [name] : []));
}
