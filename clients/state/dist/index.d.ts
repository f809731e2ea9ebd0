export { StateError } from "./errors.js";
export type { StateLimits } from "./limits.js";
export { type StateOptions, StateReplica } from "./replica.js";
export type { ItemHandlers } from "./watch.js";
