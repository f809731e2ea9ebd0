import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Conversation } from "./gen/direct_pb.js";
import type { CLoginReqSchema, SLoginRes, SResumeRes, ServerInfo } from "./gen/login_pb.js";
import type { Membership } from "./gen/room_pb.js";
import type { LoginTokenStore } from "./kept.js";

/** The player of the client. */
export interface Identity {
    readonly playerId: bigint;
    /** As the account spells it. */
    readonly name: string;
    readonly server?: ServerInfo | undefined;
    /** The rooms that the player was a member of at its login, where rooms last. Enter them with `joinRoom`. */
    readonly memberships?: readonly Membership[] | undefined;
    /** The conversations with messages that the player had not read at its login, where direct messages are stored. */
    readonly unreadConversations?: readonly Conversation[] | undefined;
    /** The players that the player had blocked at its login. Don't show what they say in rooms. */
    readonly blockedPlayerIds?: readonly bigint[] | undefined;
}

/** What the server gave the client at its login, and the token for the next resume. */
export class LoginState {
    /** Undefined before the login. */
    answer: Identity | undefined;

    /** The login that the server accepted, with its password, to log in again by it. */
    credentials: MessageInitShape<typeof CLoginReqSchema> | undefined;

    /** Where the token of this device is, to log in again by it and not by a password; undefined when it does not stay logged in. */
    keep: LoginTokenStore | undefined;

    /** Empty when the session is not to be resumed. */
    resumeToken: Uint8Array = new Uint8Array();

    loggedIn(answer: SLoginRes): void {
        this.answer = answer;
        this.resumeToken = answer.resumeToken.slice(); // the field is a view into the received message
    }

    resumed(answer: SResumeRes): void {
        this.answer = answer;
        this.resumeToken = answer.resumeToken.slice(); // the field is a view into the received message
    }

    /** The largest value of the length field that the server takes. */
    get maxFrameBytes(): number {
        return this.answer?.server?.maxFrameBytes || 65_536;
    }
}
