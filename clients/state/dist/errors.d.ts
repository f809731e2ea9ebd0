/**
 * A message of the server breaks a rule of proto/STATE.md or exceeds a limit. The replica has forgotten its state: `root` is `undefined`
 * until the next snapshot. Close the connection, or ask the server for a snapshot.
 */
export declare class StateError extends Error {
    readonly name = "StateError";
}
