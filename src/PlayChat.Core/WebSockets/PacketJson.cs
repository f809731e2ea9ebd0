using System.Text.Json;
using System.Text.Unicode;

namespace PlayChat.Core.WebSockets;

/// <summary>Packets as JSON: <c>{"type":"C_LOGIN_REQ","requestId":1,"body":{…}}</c>. Wire form: proto/PROTOCOL.md, "WebSocket".</summary>
/// <remarks>For scripts and people, so it is clear and bounded, not fast. Thread-safe, like the set.</remarks>
/// <param name="packets">The packets of the protocol; sealed.</param>
internal sealed class PacketJson(PacketSet packets)
{
    private const string Heartbeat = "HEARTBEAT"; // the packet of the framing, which is in no set

    /// <summary>Writes one packet, header included, as a JSON object.</summary>
    internal void Write(ReadOnlySpan<byte> packet, IBufferWriter<byte> json)
    {
        (ushort id, ushort requestId, _) = PacketCodec.ReadIds(packet);
        ReadOnlySpan<byte> payload = packet[PacketCodec.PacketHeaderBytes..];
        PacketType? type = packets.Find(id);
        using var writer = new Utf8JsonWriter(json);
        writer.WriteStartObject();
        if (id == PacketIds.Heartbeat)
        {
            writer.WriteString("type", Heartbeat);
        }
        else if (type is null)
        {
            writer.WriteNumber("type", id);
        }
        else
        {
            writer.WriteString("type", type.Name);
        }

        if (requestId != 0)
        {
            writer.WriteNumber("requestId", requestId);
        }

        var body = new ArrayBufferWriter<byte>();
        if (type?.TryWriteJson(payload, body) == true)
        {
            writer.WritePropertyName("body");
            writer.WriteRawValue(body.WrittenSpan, skipInputValidation: true);
        }
        else if (!payload.IsEmpty)
        {
            writer.WriteBase64String("payload", payload);
        }

        writer.WriteEndObject();
    }

    /// <summary>Reads one packet, header included, from a JSON object. The problem is the fault in a sentence.</summary>
    internal bool TryRead(
        ReadOnlyMemory<byte> json, IBufferWriter<byte> packet, out WebSocketFault fault, [NotNullWhen(false)] out string? problem)
    {
        if (!Utf8.IsValid(json.Span))
        {
            fault = WebSocketFault.TextNotUtf8;
            problem = WebSocketClose.Of(fault).Text;
            return false;
        }

        fault = WebSocketFault.BadJson;
        try
        {
            using var document = JsonDocument.Parse(json);
            if (TryRead(document.RootElement, packet, out problem))
            {
                fault = WebSocketFault.None;
                return true;
            }
        }
        catch (Exception e) when (e is JsonException or FormatException or InvalidOperationException)
        {
            // What a peer sent is data; the reader reports what is no JSON, and half a surrogate pair, only by these exceptions.
            problem = e.Message;
        }

        return false;
    }

    private bool TryRead(JsonElement root, IBufferWriter<byte> packet, [NotNullWhen(false)] out string? problem)
    {
        if (root.ValueKind != JsonValueKind.Object)
        {
            problem = "A message is one JSON object.";
            return false;
        }

        JsonElement type = default;
        ushort requestId = 0;
        JsonElement body = default;
        byte[]? payload = null;
        foreach (JsonProperty property in root.EnumerateObject())
        {
            switch (property.Name)
            {
                case "type":
                    type = property.Value;
                    break;
                case "requestId" when property.Value.ValueKind == JsonValueKind.Number && property.Value.TryGetUInt16(out requestId):
                    break;
                case "body":
                    body = property.Value;
                    break;
                case "payload" when property.Value.ValueKind == JsonValueKind.String && property.Value.TryGetBytesFromBase64(out payload):
                    break;
                default:
                    problem = $"'{property.Name}' is unknown or invalid; a packet has type, requestId (0 to 65535), and body or payload.";
                    return false;
            }
        }

        if (!TryFindId(type, out ushort id, out PacketType? kind, out problem))
        {
            return false;
        }

        var written = new ArrayBufferWriter<byte>();
        if (body.ValueKind != JsonValueKind.Undefined)
        {
            problem = "Of this packet only the payload (base64) can be given.";
            byte[] text = Encoding.UTF8.GetBytes(body.GetRawText());
            if (kind?.TryReadJson(text, written, out problem) != true)
            {
                problem ??= "";
                return false;
            }
        }

        Span<byte> header = packet.GetSpan(PacketCodec.PacketHeaderBytes);
        default(PacketCodec).WriteHeader(header, new FrameHeader(id, requestId), written.WrittenCount + (payload?.Length ?? 0));
        packet.Advance(PacketCodec.PacketHeaderBytes);
        packet.Write(written.WrittenSpan);
        packet.Write(payload);
        problem = null;
        return true;
    }

    private bool TryFindId(JsonElement type, out ushort id, out PacketType? kind, [NotNullWhen(false)] out string? problem)
    {
        (id, kind, problem) = (0, null, null);
        switch (type.ValueKind)
        {
            case JsonValueKind.Number when type.TryGetUInt16(out id):
                kind = packets.Find(id); // an id that is not known is for the router to answer
                return true;
            case JsonValueKind.String when type.ValueEquals(Heartbeat):
                id = PacketIds.Heartbeat;
                return true;
            case JsonValueKind.String when packets.Find(type.GetString()!) is { } found:
                (id, kind) = (found.Id, found);
                return true;
            default:
                problem = "'type' must be the name or the number of a packet.";
                return false;
        }
    }
}
