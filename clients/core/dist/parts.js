// What @playchat/client is built of. These parts may change with every version; applications use the package's main entry.
export { reasonOfCloseCode } from "./closeReasons.js";
export { Emitter } from "./emitter.js";
export { LastingLink } from "./lastingLink.js";
export { linkSettings, urlsOf } from "./options.js";
export { PendingRequests } from "./pending.js";
export { backoffMs, isBreak, mayPass } from "./reconnect.js";
export { outcomeOf, untilEnd } from "./requests.js";
export { decodePackets, encodePacket, frameBytes, heartbeatPacketId } from "./wire.js";
