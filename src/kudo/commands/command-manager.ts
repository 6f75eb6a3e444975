/** The field manager of what commands write. Not that of plans, nor one of KUDO's, which plans adopt: their next apply would take it away again. */
export const commandManager = 'cutover-kudo-cli';
