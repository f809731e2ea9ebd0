import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { ChatError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { SLoginRes } from "./gen/login_pb.js";

/** Where an application keeps the token by which its device stays logged in. Anyone who reads it can log in as the player. */
export interface LoginTokenStore {
    /** @returns What was saved last; undefined for nothing. */
    load(): string | undefined;
    /** @param token Replaces the one before, which is no longer good; undefined forgets it. */
    save(token: string | undefined): void;
    /**
     * Runs something that loads and saves, while nothing else does: needed where several tabs share the store. Two logins by one token at
     * the same time look as if it had been copied, and the device may be logged out.
     */
    lock?<T>(work: () => Promise<T>): Promise<T>;
}

/** Saves what the server has given; without a token the device does not stay logged in. */
export function saveToken(store: LoginTokenStore, token: Uint8Array): void {
    store.save(token.byteLength === 0 ? undefined : base64Encode(token));
}

/**
 * Logs in by the token of a store, and saves the next one.
 * @throws ChatError With `LOGIN_TOKEN_REFUSED` when there is no token, or it is not good any more.
 */
export async function logInByToken(store: LoginTokenStore, ask: (loginToken: Uint8Array) => Promise<SLoginRes>): Promise<SLoginRes> {
    const work = async (): Promise<SLoginRes> => {
        const token = store.load();
        if (token === undefined) {
            throw new ChatError(ErrorCode.LOGIN_TOKEN_REFUSED, "This device is not logged in. Log in.");
        }
        try {
            const answer = await ask(base64Decode(token));
            saveToken(store, answer.loginToken);
            return answer;
        } catch (error) {
            if (error instanceof ChatError && error.code === ErrorCode.LOGIN_TOKEN_REFUSED && store.load() === token) {
                store.save(undefined);
            }
            throw error;
        }
    };
    return store.lock === undefined ? work() : store.lock(work);
}
