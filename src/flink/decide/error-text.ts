import { isObject, member } from '../../change/equal.ts';
import { legible } from '../../control/legible.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { type Thrown, throwables } from './throwables.ts';

/** What went wrong, in the Java operator's words: tools tell errors apart by them. */
const types = {
  validation: 'org.apache.flink.kubernetes.operator.exception.ValidationException',
  deployment: 'org.apache.flink.kubernetes.operator.exception.DeploymentFailedException',
  upgrade: 'org.apache.flink.kubernetes.operator.exception.UpgradeFailureException',
  reconciliation: 'org.apache.flink.kubernetes.operator.exception.ReconciliationException',
  job: 'org.apache.flink.util.SerializedThrowable',
} as const;

export type ErrorType = keyof typeof types;

/** What more is known of an error. */
interface Details {
  /** Kubernetes' word for it. */
  readonly reason?: string;
  /** Java's stack trace. */
  readonly trace?: string;
}

/** The text of `status.error`, as detailed and as long as the configuration wants it. */
export function errorText(config: FlinkConfig, type: ErrorType, message: string, details: Details = {}): string {
  const { reason, trace = '' } = details;
  const longest = read(config, operatorOptions.errorFieldLength);
  const labels = read(config, operatorOptions.errorLabels);
  const own = { type: types[type], message: legible(message) };
  const chain = throwables(legible(trace));
  const causes = chain.slice(1);
  const listed = causes.slice(0, Math.max(0, read(config, operatorOptions.errorCauses)));
  const stackTrace = cut(legible(trace), read(config, operatorOptions.stackTraceLength));
  return JSON.stringify({
    ...own,
    message: cut(own.message, longest),
    ...(trace !== '' && read(config, operatorOptions.stackTraces) && { stackTrace }),
    additionalMetadata: {
      ...(reason !== undefined && { reason: cut(reason, longest) }),
      ...labelled([own, ...chain], labels),
    },
    throwableList: listed.map((cause, index) => ({
      type: cut(cause.type, longest),
      message: cut(cause.message, longest),
      additionalMetadata: labelled(causes.slice(index), labels),
    })),
  });
}

/** The labels whose expressions match one of these, by its message alone or with its class before it. */
function labelled(
  chain: readonly Thrown[],
  labels: readonly (readonly [RegExp, string])[],
): { readonly labels?: readonly string[] } {
  const texts = chain.flatMap(({ type, message }) => [message, `${type}: ${message}`]);
  const found = labels.filter(([pattern]) => texts.some((text) => pattern.test(text))).map(([, label]) => label);
  return found.length > 0 ? { labels: found } : {};
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return longest > 0 ? `${text.slice(0, longest - 1)}…` : '';
}

/** What a `status.error` says, whether it is a JSON object or plain text, as for "Job Not Found". */
export function errorMessage(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const message = isObject(value) ? member(value, 'message') : undefined;
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

/** Whether a `status.error` is of this type. */
export function isError(text: string | undefined, type: ErrorType): boolean {
  return text?.startsWith(`{"type":"${types[type]}"`) ?? false;
}
