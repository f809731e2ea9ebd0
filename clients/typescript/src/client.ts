import { type DescMessage, type MessageInitShape, create, toBinary } from "@bufbuild/protobuf";
import type { ClosedEvent, RequestOptions, ServerAddress, SessionState } from "@playchat/core";
import { encodePacket, urlsOf } from "@playchat/core/parts";
import { decodeSnapshot, encodeSnapshot } from "./snapshot.js";
import type { ChatEvents, ReconnectedEvent } from "./events.js";
import type { Device } from "./gen/device_pb.js";
import {
    type ConversationPlace, type SBlockPlayerRes, type SDirectChatRes, type SDirectHistoryRes, type SListConversationsRes, CDirectReadNtfSchema,
} from "./gen/direct_pb.js";
import { PacketId } from "./gen/packets_pb.js";
import {
    type ModerationAction, type RoomRole, type SCreateRoomRes, type SJoinRoomRes, type SListMembersRes, type SListReportsRes, type SListRoomsRes,
    type SRoomChatNtf, type SRoomChatRes, type SRoomHistoryRes, type SSearchRes, CReadMarkNtfSchema, CTypingNtfSchema,
} from "./gen/room_pb.js";
import { type LoginTokenStore, logInByToken, saveToken } from "./kept.js";
import type { Identity } from "./login.js";
import { type ConnectOptions, type Settings, settingsOf } from "./options.js";
import { requests } from "./packets.js";
import type { JoinedRoom } from "./rooms.js";
import { Session } from "./session.js";

/** Name and password of a player. */
export interface Credentials {
    /** 1 to 32 characters: proto/PROTOCOL.md, "Limits". */
    name: string;
    /** Needed where the account has one. */
    password?: string | undefined;
    /** Register no account: a name that is unknown is refused with `NAME_UNKNOWN`. */
    noRegistration?: boolean;
    /**
     * Take over from no other connection to this server: while there is one, the login is refused with `NAME_IN_USE`. A connection to
     * another server of a cluster is taken over.
     */
    noTakeover?: boolean;
    /** Only register: a name that an account has is refused with `NAME_TAKEN`. */
    mustRegister?: boolean;
    /**
     * Stay logged in on this device: `loginByToken` then logs in without the password. The client saves each token that the server gives,
     * also when it logs in again after a break; a server that gives none leaves the store as it is.
     */
    keep?: LoginTokenStore;
}

/** Which page of a room's history to read. Without `before` and `after`: the newest messages. */
export interface HistoryRange {
    /** The messages nearest before this sequence. */
    before?: bigint;
    /** The messages nearest after this sequence. */
    after?: bigint;
    /** At most so many messages, 1 to 200. Default 200. Fewer come when they are long. */
    limit?: number;
}

/** What kind of room it is. Neither changes after the room was made. */
export interface RoomOptions extends RequestOptions {
    /** Such as "quiz": up to 32 characters of a-z, 0-9, "-", "_" and ".". */
    readonly type?: string;

    /** Such as { level: "easy" }: up to 8. */
    readonly properties?: Record<string, string>;
}

/** How a room is made. */
export interface CreateRoomOptions extends RoomOptions {
    /** No list has the room, and only who was invited enters. Only where rooms last. */
    readonly isPrivate?: boolean;
    /** The most players in it at once, from 2. Left out or 0: as many as the server allows. */
    readonly capacity?: number;
    /** Players that are no members need it to enter. Left out or empty: none. */
    readonly password?: string;
}

/** How a room is entered. */
export interface JoinRoomOptions extends RequestOptions {
    /** Of a room that has one, unless the player is a member. Refused as `ROOM_PASSWORD_REQUIRED` without it. */
    readonly password?: string;
}

/** What a moderator does to a player, or an owner to the room. */
export interface Moderation {
    readonly action: ModerationAction;
    /** The player, by id or by name. */
    readonly playerId?: bigint;
    readonly playerName?: string;
    /** For how long, in seconds; left out, until it is taken back. */
    readonly seconds?: number;
    /** At most 200 bytes of UTF-8. The room and the player see it. */
    readonly reason?: string;
    /** With `SET_ROLE`. */
    readonly role?: RoomRole;
    /** With `SET_TOPIC`: at most 200 bytes of UTF-8. */
    readonly topic?: string;
    /** With `SET_CAPACITY` and `SET_PASSWORD`, as in `CreateRoomOptions`. */
    readonly capacity?: number;
    readonly password?: string;
}

/** Where to search, and which page. */
export interface SearchOptions extends RequestOptions {
    /** Left out: all rooms that the player is a member of. */
    readonly roomId?: bigint | undefined;
    /** The last message of the page before. Left out: the newest messages. */
    readonly before?: SRoomChatNtf | undefined;
    /** At most so many messages, 1 to 50. Default 50. Fewer come when they are long. */
    readonly limit?: number;
}

/** How a message is sent. */
export interface SendOptions extends RequestOptions {
    /**
     * From `newMessageId`, for a message that you may send again when its answer does not come: the room takes it once. Default: the
     * client chooses one.
     */
    messageId?: bigint | undefined;
}

function named(player: bigint | string | undefined): { playerId?: bigint; playerName?: string } {
    return typeof player === "bigint" ? { playerId: player } : player === undefined ? {} : { playerName: player };
}

/**
 * One session with a chat server: typed requests, and events for what the server sends unasked.
 *
 * When the connection breaks after a login, the client makes another one and resumes there. The player stays in its rooms, what was missed
 * follows in order, and requests without an answer are sent again; a room takes each message once. These are not sent again, and fail with
 * `ConnectionClosedError`: a direct message that the server does not store, a new password, and a new room where rooms last. What the
 * server can no longer give is reported by `reconnected`, before the messages that come after it.
 *
 * When the server does not know the session any more, the client logs in again, joins its rooms again and reads what was said there
 * meanwhile. Requests that had gone out before the break then fail with `ConnectionClosedError`.
 *
 * A request ends in one of five ways: the answer; `ChatError` when the server refuses; `ConnectionClosedError` when the session has ended;
 * `RequestTimeoutError`; or the reason of your `AbortSignal`. After the last three it is unknown whether the server carried it out.
 *
 * Events are raised one after the other, in the order in which packets arrived. A message that follows the answer to a request may be
 * raised before the code that awaits the answer continues.
 */
export class ChatClient {
    readonly #session: Session;
    readonly #settings: Settings;
    // Starts at random, so that a page that is loaded again does not repeat the numbers of its earlier run.
    #lastMessageId = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

    /** @internal Use `connect`. */
    constructor(session: Session, settings: Settings) {
        this.#session = session;
        this.#settings = settings;
    }

    /** Whether the client has a connection. It may change at any moment. */
    get state(): SessionState {
        return this.#session.state;
    }

    /** The client's player; undefined before the login. */
    get identity(): Identity | undefined {
        return this.#session.login.answer;
    }

    /** Whether this device stays logged in: the login had `keep`, and the server gave a token. */
    get staysLoggedIn(): boolean {
        return this.#session.login.keep !== undefined;
    }

    /** The rooms that the client is in. */
    get rooms(): readonly JoinedRoom[] {
        return this.#session.rooms.all();
    }

    /** Resolves when the session has ended, after `closed` was raised. Never rejects. */
    get closed(): Promise<ClosedEvent> {
        return this.#session.closed;
    }

    /** A room that the client is in; undefined when it is not in it. */
    room(roomId: bigint): JoinedRoom | undefined {
        return this.#session.rooms.find(roomId);
    }

    /**
     * Calls the handler for each event of this name. A handler that throws is reported on the console.
     * @returns A function that removes the handler.
     */
    on<TName extends keyof ChatEvents>(name: TName, handler: (event: ChatEvents[TName]) => void): () => void {
        return this.#session.events.on(name, handler);
    }

    /**
     * Logs in. You may try again after a refusal. With `reconnect` the client keeps the credentials in memory, to log in again.
     */
    async login({ name, password, keep, ...asks }: Credentials, options: RequestOptions = {}): Promise<Identity> {
        const request = { ...this.#loginRequest(), name, ...(password ? { password } : {}), ...asks, keep: keep !== undefined };
        const answer = await this.#requestLogin(request, options);
        const isKept = keep !== undefined && answer.loginToken.byteLength > 0;
        if (isKept) {
            saveToken(keep, answer.loginToken);
        }
        // After a break the name is known.
        this.#rememberLogin(
            isKept ? this.#loginRequest() : { ...request, mustRegister: false, keep: false }, isKept ? keep : undefined);
        return answer;
    }

    /**
     * Logs in by the token that an earlier login with `keep` has saved, in place of name and password, and saves the next one.
     * @throws ChatError With `LOGIN_TOKEN_REFUSED` when there is no token, or it is not good any more: the store is empty then. Log in.
     */
    async loginByToken(keep: LoginTokenStore, options: RequestOptions = {}): Promise<Identity> {
        const request = this.#loginRequest();
        const answer = await logInByToken(keep, (loginToken) => this.#requestLogin({ ...request, loginToken }, options));
        this.#rememberLogin(request, keep);
        return answer;
    }

    /**
     * Ends the token by which this device stays logged in, here and on the server. The client stays connected; other tabs that share the
     * token are logged out. Call it before `close` when the user logs out.
     */
    async forgetDevice(options?: RequestOptions): Promise<void> {
        const { login, sender } = this.#session;
        const { keep } = login;
        if (keep !== undefined) {
            login.keep = login.credentials = undefined; // there is nothing to log in again by
            keep.save(undefined);
            await sender.request(requests.endDevice, { deviceId: 0n }, options);
        }
    }

    /**
     * What another client needs to resume this session, for instance after the page was loaded again. Keep it where only this player can
     * read it: it holds the resume token. It is good for one resume, while the server keeps the session.
     * @returns `undefined` when there is nothing to resume.
     */
    snapshot(): string | undefined {
        const { answer, resumeToken } = this.#session.login;
        return answer === undefined || resumeToken.byteLength === 0 || this.state === "closed"
            ? undefined
            : encodeSnapshot({ token: resumeToken, rooms: this.rooms });
    }

    /**
     * Resumes the session of an earlier client, in place of a login. The messages that were missed follow as events.
     * @param keep The store of the login, where the device stays logged in.
     * @throws ChatError With `RESUME_REFUSED` when the server does not know the session any more: log in.
     * @throws SyntaxError The text is no snapshot.
     */
    async resume(snapshot: string, keep?: LoginTokenStore): Promise<ReconnectedEvent> {
        const { token, rooms } = decodeSnapshot(snapshot);
        for (const room of rooms) {
            this.#session.rooms.enter(room);
        }
        this.#session.login.resumeToken = token;
        try {
            const recoveries = await this.#session.resume();
            if (keep !== undefined) {
                this.#rememberLogin(this.#loginRequest(), keep);
            }
            return { rooms: recoveries, recovered: recoveries.every((room) => room.recovered) };
        } catch (error) {
            this.#session.login.resumeToken = new Uint8Array();
            for (const room of rooms) {
                this.#session.rooms.leave(room.roomId);
            }
            throw error;
        }
    }

    /**
     * Makes a room and enters it. Where rooms last (`identity.server.roomsLast`), the client sends it at most once: when the connection
     * breaks before the answer, it fails with `ConnectionClosedError`.
     */
    createRoom(
        name: string, { type = "", properties = {}, isPrivate = false, capacity = 0, password = "", ...rest }: CreateRoomOptions = {},
    ): Promise<SCreateRoomRes> {
        // Where rooms last, one that was made and not answered keeps its name. Elsewhere it ends when the resume takes the player out.
        const atMostOnce = this.identity?.server?.roomsLast === true;
        return this.#session.sender.request(
            requests.createRoom, { name, type, properties, private: isPrivate, capacity, password }, { ...rest, atMostOnce });
    }

    /** Enters a room. A client may be in several. */
    joinRoom(roomId: bigint, { password = "", ...rest }: JoinRoomOptions = {}): Promise<SJoinRoomRes> {
        return this.#session.sender.request(requests.joinRoom, { roomId, password }, rest);
    }

    /** Leaves a room. */
    async leaveRoom(roomId: bigint, options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.leaveRoom, { roomId }, { ...options, leavesRoom: roomId });
    }

    /**
     * Asks for one page of the rooms there are, by ascending id.
     * @param afterRoomId Only rooms with a greater id: `lastRoomId` of the page before, while that has `more`. 0 begins.
     * @param limit At most so many rooms, 1 to 200; 0 is 200.
     * @param options With a type or properties: only rooms that have them.
     * @returns A page that has `more` has a `lastRoomId` that is greater than `afterRoomId`. An older server does not send it: then it is
     * the id of the page's last room, and an empty page is the last one.
     */
    async listRooms(
        afterRoomId = 0n, limit = 0, { type = "", properties = {}, ...rest }: RoomOptions = {},
    ): Promise<SListRoomsRes> {
        const page = await this.#session.sender.request(requests.listRooms, { afterRoomId, limit, type, properties }, rest);
        if (page.more && page.lastRoomId <= afterRoomId) {
            // Otherwise a caller that reads page after page would never end.
            page.lastRoomId = page.rooms.at(-1)?.roomId ?? 0n;
            page.more = page.lastRoomId > afterRoomId;
        }
        return page;
    }

    /**
     * Says something in a room, and waits until it has its place there. It also comes back as a `message` event, before or after.
     * @param text 1 to 4,000 bytes of UTF-8.
     */
    send(roomId: bigint, text: string, options: SendOptions = {}): Promise<SRoomChatRes> {
        const { messageId = this.newMessageId(), ...rest } = options;
        return this.#session.sender.request(requests.roomChat, { roomId, text, clientMessageId: messageId }, rest);
    }

    /**
     * Changes the text of a message of one's own.
     * @param text 1 to 4,000 bytes of UTF-8.
     */
    async editMessage(roomId: bigint, sequence: bigint, text: string, options?: RequestOptions): Promise<void> {
        if (text === "") {
            throw new TypeError("A message has a text. To delete it, call deleteMessage.");
        }
        await this.#session.sender.request(requests.editMessage, { roomId, sequence, text }, options);
    }

    /** Deletes a message of one's own. A moderator deletes those of members as well. */
    async deleteMessage(roomId: bigint, sequence: bigint, options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.editMessage, { roomId, sequence }, options);
    }

    /**
     * Reacts to a message of a player, or takes that back. What is so already stays so.
     * @param emoji One emoji of at most 32 bytes of UTF-8.
     */
    async react(roomId: bigint, sequence: bigint, emoji: string, remove = false, options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.react, { roomId, sequence, emoji, remove }, options);
    }

    /**
     * Searches what players have said in rooms that the player is a member of.
     * @param words A message must have all of them. At most 200 bytes of UTF-8.
     * @returns Messages, newest first, without their reactions.
     */
    search(words: string, { roomId = 0n, before, limit = 0, ...rest }: SearchOptions = {}): Promise<SSearchRes> {
        const place = { beforeRoomId: before?.roomId ?? 0n, beforeSequence: before?.sequence ?? 0n };
        return this.#session.sender.request(requests.search, { words, roomId, limit, ...place }, rest);
    }

    /**
     * Reports a message of another player to the moderators of the room. The server keeps it with up to 5 messages on each side.
     * @param reason 1 to 512 bytes of UTF-8.
     * @returns The number of the report; of the earlier one, if the player has reported the message before.
     */
    async report(roomId: bigint, sequence: bigint, reason: string, options?: RequestOptions): Promise<bigint> {
        return (await this.#session.sender.request(requests.report, { roomId, sequence, reason }, options)).reportId;
    }

    /**
     * Asks for the open reports of a room that the player moderates, by rising number.
     * @param afterReportId Only reports with a greater number; 0 begins.
     * @param limit At most so many, 1 to 20; 0 is 20.
     */
    listReports(roomId: bigint, afterReportId = 0n, limit = 0, options?: RequestOptions): Promise<SListReportsRes> {
        return this.#session.sender.request(requests.listReports, { roomId, afterReportId, limit }, options);
    }

    /** Closes a report of a room that the player moderates. */
    async resolveReport(roomId: bigint, reportId: bigint, note = "", options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.resolveReport, { roomId, reportId, note }, options);
    }

    /** Moderates a room. The room's members are told what was done. */
    async moderate(roomId: bigint, moderation: Moderation, options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.moderate, { roomId, ...moderation }, options);
    }

    /**
     * Asks for one page of a room's members, those that are offline included where rooms last, by ascending id.
     * @param afterPlayerId Only players with a greater id; 0 begins.
     * @param limit At most so many, 1 to 200; 0 is 200.
     */
    listMembers(roomId: bigint, afterPlayerId = 0n, limit = 0, options?: RequestOptions): Promise<SListMembersRes> {
        return this.#session.sender.request(requests.listMembers, { roomId, afterPlayerId, limit }, options);
    }

    /**
     * Changes the player's password. All other devices of the player are logged out. This one stays logged in as before. The client sends
     * it at most once: when the connection breaks before the answer, it fails with `ConnectionClosedError`, and it is unknown which
     * password counts.
     * @param oldPassword Empty if the account has none.
     */
    async changePassword(oldPassword: string, newPassword: string, options?: RequestOptions): Promise<void> {
        const answer = await this.#session.sender.request(
            requests.changePassword, { oldPassword, newPassword }, { ...options, atMostOnce: true });
        const { login } = this.#session;
        if (login.keep !== undefined) {
            saveToken(login.keep, answer.loginToken);
        } else if (login.credentials !== undefined) {
            login.credentials = { ...login.credentials, password: newPassword };
        }
    }

    /** Asks for the devices on which the player is logged in, in the order of their logins, and then those that only stay logged in. */
    async listDevices(options?: RequestOptions): Promise<Device[]> {
        return (await this.#session.sender.request(requests.listDevices, {}, options)).devices;
    }

    /** Logs out another device of the player. It is no error if the device has gone already. */
    async endDevice(deviceId: bigint, options?: RequestOptions): Promise<void> {
        await this.#session.sender.request(requests.endDevice, { deviceId }, options);
    }

    /** Tells the server what the player has read: where rooms last, it is told so at its next login. Nothing without a connection. */
    markRead(roomId: bigint, sequence: bigint): void {
        this.#tell(PacketId.C_READ_MARK_NTF, CReadMarkNtfSchema, { roomId, sequence });
    }

    /** Tells the others that the player is writing. Call it every 3 seconds at most while the user types. */
    sendTyping(roomId: bigint): void {
        this.#tell(PacketId.C_TYPING_NTF, CTypingNtfSchema, { roomId });
    }

    /**
     * Sends a text to one player, in whatever rooms the two are, and waits until the server has stored it, or has passed it on.
     *
     * Where the server stores direct messages (`identity.server.directStored`), the player need not be connected, and the client sends
     * the message again after a break: the server takes it once. Elsewhere the client sends it at most once: when the connection breaks
     * before the answer, it fails with `ConnectionClosedError`. During a break it waits for the next connection.
     * @param player Its id, or its name where direct messages are stored.
     * @param text 1 to 4,000 bytes of UTF-8.
     * @throws ChatError With `PLAYER_NOT_CONNECTED` when the player is not connected and the server does not store the message; with
     * `PLAYER_REFUSES` when the player has blocked this one.
     */
    sendDirect(player: bigint | string, text: string, options: SendOptions = {}): Promise<SDirectChatRes> {
        const isStored = this.identity?.server?.directStored === true;
        const { messageId = isStored ? this.newMessageId() : 0n, ...rest } = options;
        return this.#session.sender.request(
            requests.directChat, { ...named(player), text, clientMessageId: messageId }, { ...rest, atMostOnce: !isStored });
    }

    /**
     * Asks for a page of the player's conversations, the newest first, and for the players that it has blocked. Only where direct
     * messages are stored.
     * @param limit At most so many, 1 to 200; 0 is 200.
     * @param before Where the page begins: `next` of the page before, which the last page has not.
     */
    listConversations(limit = 0, before?: ConversationPlace, options?: RequestOptions): Promise<SListConversationsRes> {
        return this.#session.sender.request(requests.listConversations, { limit, ...(before !== undefined ? { before } : {}) }, options);
    }

    /** Reads a page of the conversation with a player, oldest message first. `before` and `after` are numbers of messages. */
    readDirect(playerId: bigint, { before, after, limit = 0 }: HistoryRange = {}, options?: RequestOptions): Promise<SDirectHistoryRes> {
        const position = before !== undefined ? { case: "beforeNumber", value: before } as const
            : after !== undefined ? { case: "afterNumber", value: after } as const
            : { case: undefined } as const;
        return this.#session.sender.request(requests.directHistory, { playerId, position, limit }, options);
    }

    /** Tells the server what the player has read of a conversation. Nothing without a connection. */
    markDirectRead(playerId: bigint, number: bigint): void {
        this.#tell(PacketId.C_DIRECT_READ_NTF, CDirectReadNtfSchema, { playerId, number });
    }

    /**
     * Blocks a player, whose direct messages and invitations the server then refuses, or ends a block.
     * @param player Its id or its name; `undefined` only lists.
     * @returns The players that are blocked now.
     */
    blockPlayer(player: bigint | string | undefined, unblock = false, options?: RequestOptions): Promise<SBlockPlayerRes> {
        return this.#session.sender.request(requests.blockPlayer, { ...named(player), unblock }, options);
    }

    /** A number that this client has not used for a message before. */
    newMessageId(): bigint {
        this.#lastMessageId = BigInt.asUintN(64, this.#lastMessageId + 1n) || 1n;
        return this.#lastMessageId;
    }

    /** Reads a page of what was said in a room, oldest message first. */
    readHistory(roomId: bigint, { before, after, limit = 0 }: HistoryRange = {}, options?: RequestOptions): Promise<SRoomHistoryRes> {
        if (before !== undefined && after !== undefined) {
            throw new TypeError("Pass before or after, not both.");
        }
        const position = before !== undefined ? { case: "beforeSequence", value: before } as const
            : after !== undefined ? { case: "afterSequence", value: after } as const
            : { case: undefined } as const;
        return this.#session.sender.request(requests.roomHistory, { roomId, position, limit }, options);
    }

    /** Has the server send the bytes back: for measuring, or to see whether it is there. */
    async echo(payload: Uint8Array = new Uint8Array(), options?: RequestOptions): Promise<Uint8Array> {
        return (await this.#session.sender.request(requests.echo, { payload }, options)).payload;
    }

    #loginRequest() {
        const { clientVersion, reconnect } = this.#settings;
        return { clientVersion, announcesLogout: reconnect, followsRedirects: this.#session.followsRedirects };
    }

    #requestLogin(request: MessageInitShape<typeof requests.login.request>, options: RequestOptions) {
        return this.#session.sender.request(requests.login, request, { timeoutMs: this.#settings.loginTimeoutMs, ...options });
    }

    #rememberLogin(request: MessageInitShape<typeof requests.login.request>, keep: LoginTokenStore | undefined): void {
        if (this.#settings.reconnect) {
            this.#session.login.credentials = request;
        }
        this.#session.login.keep = keep;
    }

    #tell<T extends DescMessage>(id: PacketId, schema: T, init: MessageInitShape<T>): void {
        this.#session.pending.link?.send(encodePacket(id, 0, toBinary(schema, create(schema, init))));
    }

    /** Logs out and closes. Requests that wait fail with `ConnectionClosedError`. Done when `closed` has been raised. */
    close(): Promise<void> {
        return this.#session.close();
    }
}

/**
 * Connects to a chat server; `login` or `resume` comes next.
 * @param url For instance `ws://127.0.0.1:7780/ws`. For a cluster a list: the client connects to the first server that takes it. When its
 * connection breaks, it resumes on the first one that takes it back.
 * @throws ConnectError No server answered in time, or all refused.
 */
export async function connect(url: ServerAddress, options: ConnectOptions = {}): Promise<ChatClient> {
    const { signal, ...chosen } = options;
    const settings = settingsOf(chosen);
    const session = new Session(urlsOf(url), settings);
    await session.open(signal);
    return new ChatClient(session, settings);
}

