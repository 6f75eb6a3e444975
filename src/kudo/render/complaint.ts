/** What is wrong with what a package makes: the plan cannot go on with it, however often it is tried. */
export interface Complaint {
  readonly reason: 'TaskRenderingError' | 'ResourceUnmarshalError' | 'ResourceValidationError' | 'TaskEnhancementError';
  readonly message: string;
  /** The template it comes from, where that is known. */
  readonly template?: string;
  /** In the template (an error of rendering), or in what the template printed (an error of reading that). */
  readonly line?: number;
}
