/** What Kubernetes takes as the name of an object: small letters, digits, `-` and `.`. */
const subdomain = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Why an operator cannot have this name; `undefined` if it can. It becomes the name of an object, and part of that of a file. */
export function operatorNameProblem(name: string): string | undefined {
  if (name === '') return 'the operator has no name';
  if (subdomain.test(name) && !name.includes('..')) return undefined;
  return `the operator cannot be named ${JSON.stringify(name)}: a name has small letters, digits, - and ., and begins and ends with a letter or digit`;
}
