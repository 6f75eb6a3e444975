import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** What is needed to go on with a session in another process. */
export interface Remembered {
  /** The person's own. */
  readonly token: string;
  /** The page that they have open goes on with it. */
  readonly csrf: string;
  readonly expiresAt: number;
}

const remembered = z.object({ token: z.string(), csrf: z.string(), expiresAt: z.number() });

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Browsers keep cookies of 4 KiB, name and attributes included. */
const longest = 3_600;
/** What is shorter could be guessed. */
const shortestKey = 32;

/**
 * Seals what a session needs into its cookie, by a key that only operators have: another replica, or this one after a
 * restart, goes on with it. What was sealed for one session's secret does not open with another's.
 */
export class SessionSeal {
  readonly #key: Buffer;

  /** @throws Error when the key is too short to be one */
  constructor(key: string) {
    const text = key.trim();
    if (Buffer.byteLength(text) < shortestKey) {
      throw new Error(
        `the key of the dashboard must have at least ${shortestKey} bytes; make one with: openssl rand -base64 32`,
      );
    }
    this.#key = Buffer.from(hkdfSync('sha256', text, '', 'cutover dashboard session', 32));
  }

  /** `undefined` when it would not fit into a cookie: the session then ends with the process. */
  seal(secret: string, session: Remembered): string | undefined {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#key, nonce).setAAD(Buffer.from(secret));
    const body = Buffer.concat([sealing.update(JSON.stringify(session), 'utf8'), sealing.final()]);
    const text = Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url');
    return text.length > longest ? undefined : text;
  }

  /** `undefined` for whatever was not sealed by this key for this secret. */
  open(secret: string, text: string): Remembered | undefined {
    if (text.length > longest) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= nonceBytes + tagBytes) return undefined;
    try {
      const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(secret))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
      return remembered.parse(JSON.parse(body.toString('utf8')));
    } catch {
      return undefined;
    }
  }
}
