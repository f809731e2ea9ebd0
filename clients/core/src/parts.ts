// What @playchat/client is built of. These parts may change with every version; applications use the package's main entry.
export { reasonOfCloseCode } from "./closeReasons.js";
export { Emitter } from "./emitter.js";
export { LastingLink, type LinkUser, type SessionState } from "./lastingLink.js";
export type { Link, LinkEnd } from "./link.js";
export { type LinkOptions, type LinkSettings, type ServerAddress, linkSettings, urlsOf } from "./options.js";
export { type PendingRequest, PendingRequests } from "./pending.js";
export type { SilenceProbe } from "./probe.js";
export { backoffMs, isBreak, mayPass } from "./reconnect.js";
export { outcomeOf, untilEnd } from "./requests.js";
export { type Packet, decodePackets, encodePacket, frameBytes, heartbeatPacketId } from "./wire.js";
