import { StatusError } from '../status-error.ts';

/** A webhook could not be asked, or did not answer sensibly. Its failure policy says what that means. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';

  constructor(webhook: string, why: string) {
    super(`failed calling webhook "${webhook}": ${why}`);
  }
}

/** 500 in the real server's shape. */
export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}
