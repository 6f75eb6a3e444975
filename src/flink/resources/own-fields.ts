import type { ChangeRules } from '../../schema/change-rule.ts';

/**
 * The change metadata of an object whose fields are all ours to know. What a recorded spec holds beside them was written
 * by another version; it demands nothing, so that taking over from that version restarts nothing.
 */
export const ownFields = { unknownKeys: 'ignore' } as const satisfies ChangeRules;
