/** The field manager of what commands write. Not that of plans: their next apply would take it away again. */
export const commandManager = 'kubectl-kudo';
