import packageJson from '../../package.json' with { type: 'json' };

/** Of this program, and of the Node that it needs. */
export const version: string = packageJson.version;
export const neededNode: string = packageJson.engines.node;
