import { isObject, member } from '../../change/equal.ts';

/** What went wrong, in the Java operator's words: tools tell errors apart by them. */
const types = {
  validation: 'org.apache.flink.kubernetes.operator.exception.ValidationException',
  deployment: 'org.apache.flink.kubernetes.operator.exception.DeploymentFailedException',
  upgrade: 'org.apache.flink.kubernetes.operator.exception.UpgradeFailureException',
  reconciliation: 'org.apache.flink.kubernetes.operator.exception.ReconciliationException',
  job: 'org.apache.flink.util.SerializedThrowable',
} as const;

export type ErrorType = keyof typeof types;

/** `status.error` is read by people and small tools; longer texts help neither. */
const longest = 2048;

/** The text of `status.error`. */
export function errorText(type: ErrorType, message: string): string {
  const shown = message.length > longest ? `${message.slice(0, longest - 1)}…` : message;
  return JSON.stringify({ type: types[type], message: shown, additionalMetadata: {}, throwableList: [] });
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
  return text?.includes(`"type":"${types[type]}"`) ?? false;
}
