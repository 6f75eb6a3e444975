import { z } from 'zod';
import type { AnyObject } from '../../kube/object.ts';

/** What the API server asks about. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly subResource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly user: string;
  readonly dryRun: boolean;
  /** Absent for DELETE. */
  readonly object?: AnyObject | undefined;
  /** Absent for CREATE. */
  readonly oldObject?: AnyObject | undefined;
}

/** Why a request is not a review, with the HTTP status to answer. */
export class ReviewError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Objects are passed on as they came, not copied: a key named `__proto__` stays a key. */
const object = z
  .custom<AnyObject>(isObject, 'not a Kubernetes object')
  .nullish()
  .transform((value) => value ?? undefined);

const review = z.object({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.object({
    uid: z.string().min(1),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    kind: z.object({ group: z.string(), version: z.string(), kind: z.string() }),
    subResource: z.string().optional(),
    namespace: z.string().optional(),
    name: z.string().optional(),
    userInfo: z.object({ username: z.string().default('') }),
    dryRun: z.boolean().default(false),
    object,
    oldObject: object,
  }),
});

/** Reads an `AdmissionReview` v1. Throws a `ReviewError` that names the first field that is wrong. */
export function parseReview(text: string): AdmissionRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ReviewError(400, `the body is not JSON: ${(error as Error).message}`);
  }
  const parsed = checked(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'the body';
    throw new ReviewError(400, `not an AdmissionReview of admission.k8s.io/v1: ${where}: ${issue?.message}`);
  }
  const { userInfo, ...request } = parsed.data.request;
  return { ...request, user: userInfo.username };
}

/** Zod measures whatever has a `length`, and throws where that is an object that is no number. */
function checked(json: unknown): ReturnType<typeof review.safeParse> {
  try {
    return review.safeParse(json);
  } catch {
    throw new ReviewError(400, 'not an AdmissionReview of admission.k8s.io/v1: a text in it is something else');
  }
}

function isObject(value: unknown): boolean {
  const parts = value as Partial<Record<'apiVersion' | 'kind' | 'metadata', unknown>> | null | undefined;
  return (
    typeof parts?.apiVersion === 'string' &&
    typeof parts.kind === 'string' &&
    typeof parts.metadata === 'object' &&
    parts.metadata !== null
  );
}
