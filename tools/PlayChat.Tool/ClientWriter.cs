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
            import * as core from "@playchat/core";
            import * as messages from "./messages.js";

            export * from "./messages.js";

            /** What the client sends: on the connection that `enter` gets, or on the client. */
            export interface Calls {

            """);
        Packet[] sent = [.. contract.Packets.Where(static packet => packet.IsSent)];
        Packet[] received = [.. contract.Packets.Where(static packet => packet.IsReceived)];
        Packet[] failures = [.. contract.Packets.Where(static packet => packet.IsFailure)];
        void Line(string line) => text.Append(line).Append('\n');
        foreach (Packet packet in sent)
        {
            string message = $"message{(CanBeEmpty(packet) ? "?" : "")}: messages.{packet.Name}";
            if (packet.Answer is { } answer)
            {
                Line("    /** Resolves with the answer, or rejects: see `GameClient`. */");
                Line($"    request{packet.Name}({message}, options?: core.GameRequestOptions): Promise<messages.{answer.Name}>;");
            }
            else
            {
                Line("    /** Returns false when it was dropped: there is no connection, or too much waits to be sent. */");
                Line($"    send{packet.Name}({message}): boolean;");
            }
        }

        Line("}\n");
        Line("/** Handles what the server sends. Each message has one handler; set it before `connect`. The result removes it. */");
        Line("export interface Handlers {");
        foreach (Packet packet in received)
        {
            Line($"    on{packet.Name}(handler: (message: messages.{packet.Name}, reply: core.Reply) => void): () => void;");
        }

        Line("}");
        foreach (Packet failure in failures)
        {
            text.Append(CultureInfo.InvariantCulture, $$"""

                /** Whether a request failed with this answer of the server. */
                export function is{{failure.Name}}(
                    error: unknown,
                ): error is core.RequestFailedError & { readonly answer: messages.{{failure.Name}} } {
                    return error instanceof core.RequestFailedError && error.packetId === messages.{{failure.Name}}.id;
                }

                """);
        }

        text.Append(CultureInfo.InvariantCulture, $$"""

            /** Options of a `Client`: those of `GameClient`, and `enter` has the calls. */
            export type Options<TToken> = Omit<core.ClientOptions<TToken>, "enter" | "failures"> & {
                enter?: (entry: core.Entry<TToken> & Calls) => Promise<core.Entered<TToken> | void>;
            };

            export interface Client<TToken = string> extends Calls, Handlers {}

            /** A client of this server: a `GameClient` with a method for each message. */
            export class Client<TToken = string> extends core.GameClient<TToken> {
                constructor(url: core.ServerAddress, { enter, ...options }: Options<TToken> = {}) {
                    super(url, {
                        ...options,
                        failures: [{{string.Join(", ", failures.Select(static failure => "messages." + failure.Name))}}],
                        ...(enter && { enter: (entry: core.Entry<TToken>) => enter({ ...entry, ...callsOn(entry) }) }),
                    });
                    Object.assign(this, callsOn(this), handlersOn(this));
                }
            }

            function callsOn({{(sent.Length == 0 ? "_" : "")}}to: Pick<core.GameClient<never>, "request" | "send">): Calls {
                return {

            """);
        foreach (Packet packet in sent)
        {
            (string name, string message) = ("messages." + packet.Name, CanBeEmpty(packet) ? "message = {}" : "message");
            Line(packet.Answer is { } answer
                ? $"        request{packet.Name}: ({message}, options) => to.request({name}, message, messages.{answer.Name}, options),"
                : $"        send{packet.Name}: ({message}) => to.send({name}, message),");
        }

        Line("    };\n}\n");
        Line($"function handlersOn({(received.Length == 0 ? "_" : "")}client: Pick<core.GameClient<never>, \"handle\">): Handlers {{");
        Line("    return {");
        foreach (Packet packet in received)
        {
            Line($"        on{packet.Name}: (handler) => client.handle(messages.{packet.Name}, handler),");
        }

        Line("    };\n}");
        return text.ToString();
    }

    private static bool CanBeEmpty(Packet packet) =>
        packet.Message is ObjectType type && type.Members.TrueForAll(static member => member.IsOptional);
}
