import fc from 'fast-check';

/**
 * Properties are checked with the same examples on every run, so that a red run means a change and not chance. To look
 * for new ones: `SEED=random npm test`, or a number to go back to one.
 */
const { SEED } = process.env;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED === 'random' ? Date.now() : Number(SEED ?? 1) });
