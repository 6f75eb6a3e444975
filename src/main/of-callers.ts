/** What one caller of the CF API may take of the API server at once, however much he asks for. */
export const ofCallers = { maxConnections: 16 };
