import { stackTrace, type Throwable } from '../throwable.ts';

/** An answer with an error status. */
export class RestError extends Error {
  readonly status: number;
  readonly errors: readonly string[];

  constructor(status: number, ...errors: string[]) {
    super(errors[0] ?? '');
    this.status = status;
    this.errors = errors;
  }
}

const handlers = 'org.apache.flink.runtime.rest.handler';

export function handlerError(status: number, message: string, at: string, cause?: Throwable): RestError {
  const type = `${handlers}.RestHandlerException`;
  return new RestError(status, stackTrace({ type, message, at: `${handlers}.${at}`, ...(cause && { cause }) }));
}

export function notFound(message: string, at: string, cause?: Throwable): RestError {
  const type = 'org.apache.flink.runtime.rest.NotFoundException';
  return new RestError(404, stackTrace({ type, message, at: `${handlers}.${at}`, ...(cause && { cause }) }));
}

/** A body that is not what the handler expects. */
export function badBody(type: string, reason: string): RestError {
  const at = 'AbstractHandler.respondAsLeader(AbstractHandler.java:165)';
  return handlerError(400, `Request did not match expected format ${type}.`, at, {
    type: 'org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonMappingException',
    message: reason,
    at: 'org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonMappingException.wrapWithPath(JsonMappingException.java:402)',
  });
}

export function serverError(throwable: Throwable): RestError {
  const text = `<Exception on server side:\n${stackTrace(throwable)}\nEnd of exception on server side>`;
  return new RestError(500, 'Internal server error.', text);
}
