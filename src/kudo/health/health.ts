/** Whether an object is what its plan may go on with. */
export type Health =
  | { readonly is: 'healthy' }
  /** Not yet; what is being waited for. */
  | { readonly is: 'waiting'; readonly message: string }
  /** It never will be: the plan has failed. */
  | { readonly is: 'failed'; readonly message: string };
