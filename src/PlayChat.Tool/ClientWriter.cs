using System.Globalization;
using System.Text;

namespace PlayChat.Tool;

/// <summary>Writes client.ts: a client with a method for each message.</summary>
internal static class ClientWriter
{
    public static string Write(Contract contract, string header)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $$"""
            // {{header}}
            import {
                type ClientOptions, type Entered, type Entry, GameClient, type GameRequestOptions, type Reply, RequestFailedError, type ServerAddress,
            } from "@playchat/core";
            import * as messages from "./messages.js";

            export * from "./messages.js";

            /** What the client sends: on the connection that `enter` gets, or on the client. */
            export interface Calls {

            """);
        Packet[] sent = [.. contract.Packets.Where(static packet => packet.IsSent)];
        Packet[] received = [.. contract.Packets.Where(static packet => packet.IsReceived)];
        Packet[] failures = [.. contract.Packets.Where(static packet => packet.IsFailure)];
        foreach (Packet packet in sent)
        {
            string message = $"message{(CanBeEmpty(packet) ? "?" : "")}: messages.{packet.Name}";
            text.Append(packet.Answer is { } answer
                ? $"    /** Resolves with the answer, or rejects: see `GameClient`. */\n    request{packet.Name}({message}, options?: GameRequestOptions): Promise<messages.{answer.Name}>;\n"
                : $"    /** Returns false when it was dropped: there is no connection, or too much waits to be sent. */\n    send{packet.Name}({message}): boolean;\n");
        }

        text.Append("}\n\n/** Handles what the server sends. Each message has one handler; set it before `connect`. The result removes it. */\nexport interface Handlers {\n");
        foreach (Packet packet in received)
        {
            text.Append(CultureInfo.InvariantCulture, $"    on{packet.Name}(handler: (message: messages.{packet.Name}, reply: Reply) => void): () => void;\n");
        }

        text.Append("}\n");
        foreach (Packet failure in failures)
        {
            text.Append(CultureInfo.InvariantCulture, $$"""

                /** Whether a request failed with this answer of the server. */
                export function is{{failure.Name}}(error: unknown): error is RequestFailedError & { readonly answer: messages.{{failure.Name}} } {
                    return error instanceof RequestFailedError && error.packetId === messages.{{failure.Name}}.id;
                }

                """);
        }

        text.Append(CultureInfo.InvariantCulture, $$"""

            /** Options of a `Client`: those of `GameClient`, and `enter` has the calls. */
            export type Options<TToken> = Omit<ClientOptions<TToken>, "enter" | "failures"> & {
                enter?: (entry: Entry<TToken> & Calls) => Promise<Entered<TToken> | void>;
            };

            export interface Client<TToken = string> extends Calls, Handlers {}

            /** A client of this server: a `GameClient` with a method for each message. */
            export class Client<TToken = string> extends GameClient<TToken> {
                constructor(url: ServerAddress, { enter, ...options }: Options<TToken> = {}) {
                    super(url, {
                        ...options,
                        failures: [{{string.Join(", ", failures.Select(static failure => "messages." + failure.Name))}}],
                        ...(enter && { enter: (entry: Entry<TToken>) => enter({ ...entry, ...callsOn(entry) }) }),
                    });
                    Object.assign(this, callsOn(this), handlersOn(this));
                }
            }

            function callsOn(to: Pick<GameClient<never>, "request" | "send">): Calls {
                return {

            """);
        foreach (Packet packet in sent)
        {
            string message = CanBeEmpty(packet) ? "message = {}" : "message";
            text.Append(packet.Answer is { } answer
                ? $"        request{packet.Name}: ({message}, options) => to.request(messages.{packet.Name}, message, messages.{answer.Name}, options),\n"
                : $"        send{packet.Name}: ({message}) => to.send(messages.{packet.Name}, message),\n");
        }

        text.Append("    };\n}\n\nfunction handlersOn(client: Pick<GameClient<never>, \"handle\">): Handlers {\n    return {\n");
        foreach (Packet packet in received)
        {
            text.Append(CultureInfo.InvariantCulture, $"        on{packet.Name}: (handler) => client.handle(messages.{packet.Name}, handler),\n");
        }

        return text.Append("    };\n}\n").ToString();
    }

    private static bool CanBeEmpty(Packet packet) =>
        packet.Message is ObjectType type && type.Members.TrueForAll(static member => member.IsOptional);
}
