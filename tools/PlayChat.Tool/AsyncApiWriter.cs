using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace PlayChat.Tool;

/// <summary>Writes an AsyncAPI 3 document of packets as JSON: the subprotocol playchat.v1.json in proto/WEBSOCKET.md.</summary>
internal static class AsyncApiWriter
{
    private const string Channel = "#/channels/server";

    private static readonly JsonSerializerOptions s_form = new()
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, // the document is no page
    };

    /// <exception cref="ContractException">There are no packets.</exception>
    public static string Write(Contract contract)
    {
        if (contract.Packets.Count == 0)
        {
            throw new ContractException($"{contract.Source} has states, but no packets as JSON, which AsyncAPI could describe.");
        }

        var document = new JsonObject
        {
            ["asyncapi"] = "3.0.0",
            ["info"] = new JsonObject
            {
                ["title"] = Path.GetFileNameWithoutExtension(contract.Source),
                ["version"] = contract.Version,
                ["description"] = OutputFiles.Marker + $"asyncapi\" from {contract.Source}. Do not edit.",
            },
            ["defaultContentType"] = "application/json",
            ["channels"] = new JsonObject
            {
                ["server"] = new JsonObject
                {
                    ["address"] = "/ws",
                    ["description"] = "A WebSocket with the subprotocol playchat.v1.json. Each text message is a packet.",
                    ["messages"] = Each(contract.Packets, static packet => Ref("#/components/messages/" + packet.Name)),
                },
            },
            ["operations"] = Operations(contract.Packets),
            ["components"] = new JsonObject
            {
                ["messages"] = Each(contract.Packets, Message),
                ["schemas"] = Each(contract.Definitions, static definition => definition.Name, SchemaOf),
            },
        };
        return document.ToJsonString(s_form).ReplaceLineEndings("\n") + "\n";
    }

    private static JsonObject Operations(IReadOnlyList<Packet> packets)
    {
        Packet[] failures = [.. packets.Where(static packet => packet.IsFailure)];
        var operations = new JsonObject();
        foreach (Packet packet in packets.Where(static packet => packet.IsSent))
        {
            JsonObject operation = Operation("receive", [packet]);
            if (packet.Answer is { } answer)
            {
                operation["reply"] = new JsonObject { ["channel"] = Ref(Channel), ["messages"] = Messages([answer, .. failures]) };
            }

            operations["receive" + packet.Name] = operation;
        }

        foreach (Packet packet in packets.Where(static packet => packet.IsReceived))
        {
            operations["send" + packet.Name] = Operation("send", [packet]);
        }

        return operations;
    }

    private static JsonObject Operation(string action, Packet[] packets) =>
        new() { ["action"] = action, ["channel"] = Ref(Channel), ["messages"] = Messages(packets) };

    private static JsonArray Messages(IEnumerable<Packet> packets) =>
        [.. packets.Select(static packet => (JsonNode)Ref($"{Channel}/messages/{packet.Name}"))];

    private static JsonObject Message(Packet packet) => new()
    {
        ["name"] = packet.Name,
        ["summary"] = $"Packet {packet.Id}" + (packet.IsFailure ? "; as an answer, it fails a request" : ""),
        ["payload"] = new JsonObject
        {
            ["type"] = "object",
            ["properties"] = new JsonObject
            {
                ["type"] = new JsonObject { ["const"] = packet.Name },
                ["requestId"] = new JsonObject { ["type"] = "integer", ["minimum"] = 1, ["maximum"] = ushort.MaxValue },
                ["body"] = Schema(packet.Message),
            },
            ["required"] = new JsonArray("type", "body"),
        },
    };

    /// <summary>The schema of a value, which refers to definitions.</summary>
    private static JsonObject Schema(Shape shape) => shape switch
    {
        Definition definition => Ref("#/components/schemas/" + definition.Name),
        OrNull maybe => Any([Schema(maybe.Value), new JsonObject { ["type"] = "null" }]),
        ListOf list => new JsonObject { ["type"] = "array", ["items"] = Schema(list.Item) },
        MapOf map => new JsonObject { ["type"] = "object", ["additionalProperties"] = Schema(map.Value) },
        Scalar scalar => ScalarSchema(scalar),
        _ => throw new InvalidOperationException($"{shape} has no schema."),
    };

    private static JsonObject ScalarSchema(Scalar scalar)
    {
        JsonObject schema = scalar.Kind switch
        {
            ScalarKind.Text => new JsonObject { ["type"] = "string" },
            ScalarKind.Boolean => new JsonObject { ["type"] = "boolean" },
            ScalarKind.Integer => new JsonObject { ["type"] = "integer" },
            ScalarKind.Long => new JsonObject { ["type"] = "integer", ["format"] = "int64" },
            ScalarKind.NamedNumber => Any(
                [new JsonObject { ["type"] = "number" }, new JsonObject { ["enum"] = new JsonArray("NaN", "Infinity", "-Infinity") }]),
            ScalarKind.Any => [],
            _ => new JsonObject { ["type"] = "number" },
        };
        if (scalar.Format is { } format)
        {
            schema["format"] = format;
        }

        if (scalar.Note is { } note)
        {
            schema["description"] = note;
        }

        return schema;
    }

    private static JsonObject SchemaOf(Definition definition) => definition switch
    {
        AliasType alias => Schema(alias.Shape),
        EnumType { IsText: true, IsFlags: true } => new JsonObject { ["type"] = "string" },
        EnumType { IsFlags: true } => new JsonObject { ["type"] = "integer" },
        EnumType type => new JsonObject
        {
            ["enum"] = new JsonArray(
                [.. type.Values.DistinctBy(value => type.IsText ? (object)value.Name : value.Value)
                    .Select(value => type.IsText ? JsonValue.Create(value.Name) : JsonValue.Create(value.Value))]),
        },
        UnionType union => Any(union.Kinds.Select(kind => kind.Value is null ? Schema(kind.Type) : new JsonObject
        {
            ["allOf"] = new JsonArray(
                new JsonObject
                {
                    ["type"] = "object",
                    ["properties"] = new JsonObject
                    {
                        [union.Discriminator] = new JsonObject { ["const"] = JsonSerializer.SerializeToNode(kind.Value) },
                    },
                    ["required"] = new JsonArray(union.Discriminator),
                },
                Schema(kind.Type)),
        })),
        ObjectType type => new JsonObject
        {
            ["type"] = "object",
            ["properties"] = Each(type.Members, static member => member.Name, static member => Schema(member.Shape)),
            ["required"] = new JsonArray(
                [.. type.Members.Where(static member => !member.IsOptional).Select(static member => JsonValue.Create(member.Name))]),
        },
        _ => throw new InvalidOperationException($"{definition} has no schema."),
    };

    private static JsonObject Ref(string target) => new() { ["$ref"] = target };

    private static JsonObject Any(IEnumerable<JsonObject> schemas) => new() { ["anyOf"] = new JsonArray([.. schemas]) };

    private static JsonObject Each(IEnumerable<Packet> packets, Func<Packet, JsonObject> write) =>
        Each(packets, static packet => packet.Name, write);

    private static JsonObject Each<T>(IEnumerable<T> items, Func<T, string> name, Func<T, JsonObject> write) =>
        new(items.Select(item => KeyValuePair.Create(name(item), (JsonNode?)write(item))));
}
