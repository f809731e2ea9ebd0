export { StateError } from "./errors.js";
export { StateReplica } from "./replica.js";
