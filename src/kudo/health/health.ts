/** Whether an object is what its plan may go on with. */
export type Health =
  | { readonly is: 'healthy' }
  /** Not yet; what is being waited for. */
  | { readonly is: 'waiting'; readonly message: string }
  /** It never will be: the plan has failed. */
  | { readonly is: 'failed'; readonly message: string };

export const healthy: Health = { is: 'healthy' };

export function waiting(message: string): Health {
  return { is: 'waiting', message };
}

export function failed(message: string): Health {
  return { is: 'failed', message };
}
