export declare const closeCodes: readonly [{
    readonly reason: 1;
    readonly name: "PeerClosed";
    readonly advice: "reconnect";
}, {
    readonly reason: 2;
    readonly name: "PeerReset";
    readonly advice: "reconnect";
}, {
    readonly reason: 3;
    readonly name: "ProtocolViolation";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 4;
    readonly name: "FrameTooLarge";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 5;
    readonly name: "SlowConsumer";
    readonly advice: "reconnect";
}, {
    readonly reason: 6;
    readonly name: "IdleTimeout";
    readonly advice: "reconnect";
}, {
    readonly reason: 7;
    readonly name: "HandlerFault";
    readonly advice: "reconnect";
}, {
    readonly reason: 8;
    readonly name: "ServerShutdown";
    readonly advice: "reconnect-later";
}, {
    readonly reason: 9;
    readonly name: "LocalClose";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 10;
    readonly name: "LoginTimeout";
    readonly advice: "reconnect-later";
}, {
    readonly reason: 11;
    readonly name: "TakenOver";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 12;
    readonly name: "TlsFailed";
    readonly advice: "reconnect";
}, {
    readonly reason: 13;
    readonly name: "ServerFull";
    readonly advice: "reconnect-later";
}, {
    readonly reason: 14;
    readonly name: "AddressFull";
    readonly advice: "reconnect-later";
}, {
    readonly reason: 15;
    readonly name: "TransportFault";
    readonly advice: "reconnect";
}, {
    readonly reason: 16;
    readonly name: "UnknownPacket";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 17;
    readonly name: "LoginRequired";
    readonly advice: "do-not-reconnect";
}, {
    readonly reason: 18;
    readonly name: "RateLimited";
    readonly advice: "reconnect-later";
}, {
    readonly reason: 19;
    readonly name: "FrameTimeout";
    readonly advice: "reconnect";
}, {
    readonly reason: 20;
    readonly name: "NodeFenced";
    readonly advice: "reconnect";
}, {
    readonly reason: 21;
    readonly name: "LoginExpired";
    readonly advice: "reconnect";
}];
