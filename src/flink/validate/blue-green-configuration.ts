import { blueGreenOptions, idleBlueGreenOptions } from '../config/blue-green-options.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { type AnyOption, read } from '../config/option.ts';
import { waitingTime } from '../config/value-kind.ts';
import { previewTemplate } from '../manifests/blue-green-address.ts';
import type { BlueGreenSubject } from './blue-green-subject.ts';
import { filledTemplate, templateFault } from './ingress.ts';
import { nearest } from './nearest.ts';
import { type Finding, type Rule, short, shown } from './rule.ts';
import { settingOf } from './setting.ts';

const prefix = 'kubernetes.operator.bluegreen.';
const options: readonly AnyOption[] = [...Object.values(blueGreenOptions), ...Object.values(idleBlueGreenOptions)];
const keys = options.map(({ key }) => key);

/** Unknown keys that are told one by one; the rest is counted. */
const most = 10;

export const blueGreenConfigurationRules: readonly Rule<BlueGreenSubject>[] = [
  {
    rule: 'blue-green-key',
    field: 'spec.configuration',
    says: `Keys of spec.configuration, and those with the prefix ${prefix} anywhere, are ones that Cutover knows.`,
    check: ({ written, side }) => [
      ...unknown(
        [...written.keys()],
        'spec.configuration',
        'other keys belong in spec.template.spec.flinkConfiguration',
      ),
      ...unknown(
        [...(side?.written.keys() ?? [])].filter((key) => key.startsWith(prefix)),
        'spec.template.spec.flinkConfiguration',
        `no other key begins with ${prefix}`,
      ),
    ],
  },
  {
    rule: 'blue-green-value',
    field: 'spec.configuration',
    says: 'Values of blue/green keys are what the key holds; durations have a unit and are not negative.',
    check: ({ written, side }) => [
      ...unreadable(written, 'spec.configuration'),
      ...unreadable(side?.written ?? new Map(), 'spec.template.spec.flinkConfiguration'),
    ],
  },
  {
    rule: 'preview-ingress',
    field: `spec.configuration[${blueGreenOptions.previewIngress.key}]`,
    says: 'A preview needs an ingress whose template, with preview before it, is still a host, a path, or both.',
    check({ written, resource, spec: { ingress } }) {
      const { key } = blueGreenOptions.previewIngress;
      if (!read(written, blueGreenOptions.previewIngress)) return undefined;
      if (!ingress) {
        return `${key} is true, and spec.ingress is absent: the preview is made by its template. Write spec.ingress.template, or remove the key from spec.configuration.`;
      }
      const template = ingress.template?.trim() ?? '';
      if (template === '' || templateFault(filledTemplate(template, resource.metadata))) return undefined;
      const preview = previewTemplate(template);
      const why = templateFault(filledTemplate(preview, resource.metadata));
      return (
        why &&
        `${key} is true, and the preview of spec.ingress.template would be ${shown(preview)}: ${why}. Write a shorter host there, or remove the key from spec.configuration.`
      );
    },
  },
];

function unknown(written: readonly string[], place: string, otherwise: string): readonly Finding[] {
  const found = written.filter((key) => !keys.includes(key));
  const further = found.length > most ? ` So are ${found.length - most} further keys.` : '';
  return found.slice(0, most).map((key) => ({
    field: `${place}[${short(key)}]`,
    message: `${shown(key)} is unknown in ${place}. Rename it to ${nearestKey(key)} if that is meant, or remove it: ${otherwise}.${further}`,
  }));
}

/** People leave the prefix out, or mistype what follows it. */
function nearestKey(key: string): string {
  const bare = key.startsWith(prefix) ? key.slice(prefix.length) : key.replace(/^kubernetes\.operator\./, '');
  return `${prefix}${nearest(
    bare,
    keys.map((known) => known.slice(prefix.length)),
  )}`;
}

function unreadable(config: FlinkConfig, place: string): readonly Finding[] {
  return options.flatMap((option) => {
    const setting = settingOf(config, option);
    if (!setting || option.kind.parse(setting.text) !== undefined) return [];
    const { key, text } = setting;
    return [{ field: `${place}[${key}]`, message: `${key} is ${shown(text)} in ${place}, ${fault(option, text)}.` }];
  });
}

function fault({ kind }: AnyOption, text: string): string {
  if (kind === waitingTime && /^[-+]?\d+$/.test(text)) {
    const number = text.replace(/^[-+]/, '');
    return `and that has no unit. Write "${short(number)} ms" if milliseconds are meant, as the Java operator reads it, or "${short(number)} s" or "${short(number)} min"`;
  }
  if (kind === waitingTime && /^-/.test(text)) return 'and nothing takes less than no time. Write "0 s" or more';
  return `and that is not ${kind.name}. Write for example "${kind.example}"`;
}
