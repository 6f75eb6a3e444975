/**
 * What `kubectl wait` waits for until kinds are served. Asked for the condition, it gives up on a definition that has no
 * conditions yet, as one has in the moment after it was made.
 */
export const established = '--for=jsonpath={.status.conditions[?(@.type=="Established")].status}=True';
