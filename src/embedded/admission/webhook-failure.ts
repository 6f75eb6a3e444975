/** A webhook could not be asked, or did not answer sensibly. Its failure policy says what that means. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';

  constructor(webhook: string, why: string) {
    super(`failed calling webhook "${webhook}": ${why}`);
  }
}
