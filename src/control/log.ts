import { type DestinationStream, pino, type SerializerFn, stdTimeFunctions } from 'pino';

/** Facts that go with a message, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where the program says what it does: one line per fact, readable by machines. */
export interface Log {
  debug(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  error(fields: Fields, message: string): void;
  /** A log that adds these fields to every line. */
  child(fields: Fields): Log;
}

/** Field names whose values never belong into a log, at the top and up to two levels below. */
const secretNames = ['token', 'password', 'authorization', 'secret', 'stringData', 'privateKey', 'clientKey'];

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Default: standard error. Standard output belongs to results. */
  readonly destination?: DestinationStream;
}

/** Structured logs, one JSON object per line. Sealed values print as fingerprints, Secrets without their data. */
export function createLog(options: LogOptions = {}): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      serializers: { error: describeError as SerializerFn, object: withoutSecretData as SerializerFn },
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/** A log that says nothing. */
export const silent: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};

/** Name, message and cause chain; the stack, because an error in the log is one that nobody expected. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    name: error.name,
    message: error.message,
    ...('kind' in error && { kind: error.kind }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** A Kubernetes object as it may be logged. */
function withoutSecretData(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('kind' in object) || object.kind !== 'Secret') return object;
  const { data: _data, stringData: _stringData, ...rest } = object as Record<string, unknown>;
  return rest;
}
