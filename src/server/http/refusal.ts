/** Why a request is not answered as it was meant to be. The message is for the person who made it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * The one answer about anything that is not there and about anything that may not be seen: nobody can tell one from the
 * other.
 */
export function noSuchWorkload(): Refusal {
  return new Refusal(404, 'There is no such workload, or you may not see it.');
}
