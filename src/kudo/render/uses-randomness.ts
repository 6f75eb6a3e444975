import type { OperatorVersion } from '../resources/operator-version.ts';

/** Functions of templates that need the key of the Instance. */
const random =
  /\b(?:rand(?:AlphaNum|Alpha|Ascii|Numeric)|shuffle|uuidv4|genPrivateKey|genCA|genSelfSignedCert|genSignedCert|buildCustomCert|encryptAES)\b/;

const known = new WeakMap<OperatorVersion, boolean>();

/** Whether templates of a version may ask for random values. A word in a text counts too: the only cost is a key too many. */
export function usesRandomness(version: OperatorVersion): boolean {
  const found = known.get(version) ?? Object.values(version.spec.templates ?? {}).some((text) => random.test(text));
  known.set(version, found);
  return found;
}
