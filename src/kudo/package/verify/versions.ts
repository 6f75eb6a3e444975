import { errors } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Semantic versions, as lenient as KUDO reads them: `v` in front, and one or two numbers, are fine. */
const version = /^v?\d+(\.\d+)?(\.\d+)?(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

const fields = [
  { name: 'operatorVersion', required: true },
  { name: 'appVersion', required: false },
  { name: 'kubernetesVersion', required: true },
  { name: 'kudoVersion', required: false },
] as const;

export const verifyVersions: Verifier = ({ found }) =>
  errors(
    fields.flatMap(({ name, required }) => {
      const text = found.operator[name] ?? '';
      if (text.trim() === '') return required ? [{ message: `"${name}" is required and must be semver` }] : [];
      return version.test(text) ? [] : [{ message: `unable to parse "${name}": Invalid Semantic Version` }];
    }),
  );
