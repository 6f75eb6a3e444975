import type { AnyObject } from '../../src/kube/object.ts';
import type { Kind } from '../../src/schema/kind.ts';

/** What the cluster says of an object at this moment. */
export type Standing =
  /** Not yet: something is under way, or the last edit was not seen. */
  | { readonly is: 'working'; readonly words: string }
  /** The last edit is what runs, and is said to be. */
  | { readonly is: 'realised' }
  /** The last edit was seen, and cannot be: conditions and errors say why. */
  | { readonly is: 'told'; readonly words: string };

/** A part of a spec in which all is well, joined to the usual spec. Together they hold every property of the kind. */
export interface Sample {
  /** `ingress` */
  readonly name: string;
  readonly spec: object;
}

/** Something that is known not to be as it should, and why it stands all the same. */
export interface Declared {
  /** Which operations, by name. */
  readonly operations: RegExp;
  /** Which of their problems. */
  readonly problem: RegExp;
  /** For the page of results. */
  readonly why: string;
}

/** A kind, and how one of its objects is written, watched and taken back. */
export interface Ground {
  readonly kind: Kind;
  /**
   * `edit`: each lane has an object that is there all the time, and taking back is writing the usual spec again.
   * `create`: each operation makes an object of its own, and taking back is deleting it.
   */
  readonly how: 'edit' | 'create';
  /** Objects, or surroundings of objects, that know nothing of each other: `lane-07`. */
  readonly lanes: readonly string[];
  readonly samples: readonly Sample[];
  readonly declared?: readonly Declared[];
  /** The usual object: `spec` of it is accepted and becomes true. Of `create` it is made with a name of its own. */
  object(lane: string): AnyObject;
  /** What admission says to a write: the refusal, if it is one. */
  admit(object: AnyObject, before: AnyObject | undefined): Promise<string | undefined>;
  standing(object: AnyObject): Standing;
  /** Words by which those who write such objects know a part of them, beside its path: `plan deploy`. */
  readonly spokenOf?: readonly { readonly about: RegExp; readonly words: RegExp }[];
  /** Everything that was made for a lane, without what is chance. */
  state(lane: string): unknown;
  /** All that was made for a lane from what its object says, as text, if all that it says can be found there. */
  readonly made?: (lane: string) => string;
  /** How what it says is spelled there, where it is spelled otherwise; nothing for words that say how, and not what. */
  readonly spelt?: Readonly<Record<string, string>>;
  /** What has to be there before a lane is used. */
  readonly prepare?: (lane: string) => Promise<void>;
  /** Of `edit`: what people do after an edit, and after it is taken back, so that it holds: a restart. */
  readonly takeUp?: (lane: string) => Promise<void>;
  /** Of `create`: what is made after an object and deleted before it, so that something becomes of it. */
  readonly companions?: (object: AnyObject) => readonly AnyObject[];
}
