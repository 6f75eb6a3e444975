import { sprigFunctions } from '../template/functions/sprig/sprig-functions.ts';

/** What templates of packages may call beside Go's own functions. */
export const templateFunctions = sprigFunctions;
