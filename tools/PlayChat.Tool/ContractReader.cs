using System.Globalization;
using System.Reflection;

namespace PlayChat.Tool;

/// <summary>Reads the messages of an assembly: those with [PacketId] that are in a set with [JsonPackets].</summary>
internal static class ContractReader
{
    /// <param name="file">A server, or its project of messages, as dotnet build makes it.</param>
    /// <param name="set">The class with [JsonPackets]; <see langword="null"/> for the only one.</param>
    /// <exception cref="ContractException">The assembly cannot be read, or a type of its messages has no form in TypeScript.</exception>
    public static Contract Read(string file, string? set)
    {
        using var assemblies = new LoadedAssemblies(file);
        Type[] types = [.. assemblies.Scanned.SelectMany(static assembly => assembly.GetTypes())];
        List<PlayChat.State.SyncType> states = StateReader.Read(types);
        Type[] sets = [.. types.Where(static type => type.Find(Attributes.Packets + "JsonPacketsAttribute") is not null)];
        string name = Path.GetFileName(file);
        string version = assemblies.Root.GetName().Version!.ToString(3);
        if (sets.Length == 0 && states.Count > 0 && set is null)
        {
            return new Contract(name, version, [], [], states);
        }

        Type context = Choose(name, sets, set).Find(Attributes.Packets + "JsonPacketsAttribute")!.Argument<Type>(0)!;
        var reader = new ShapeReader(JsonRules.Of(context));
        Dictionary<string, Packet> packets = ReadPackets(context, reader);
        if (packets.Count == 0)
        {
            throw new ContractException(
                $"No message of {name} has [PacketId] and [JsonSerializable(typeof(…))] on {context.Name}. Add both to each message.");
        }

        SetDirections(assemblies, packets);
        Packet[] sorted = [.. packets.Values.OrderBy(static packet => packet.Id)];
        IEnumerable<Definition> messages = sorted.Select(static packet => packet.Message);
        IEnumerable<Definition> others =
            reader.Definitions.Except(messages).OrderBy(static definition => definition.Name, StringComparer.Ordinal);
        return new Contract(name, version, sorted, [.. messages, .. others], states);
    }

    private static Type Choose(string file, Type[] sets, string? name)
    {
        string names = string.Join(", ", sets.Select(static type => type.Name).Order(StringComparer.Ordinal));
        return (sets.Length, name) switch
        {
            (0, _) => throw new ContractException(
                $"{file} has no packets as JSON: no class with [JsonPackets]. Add [JsonPackets(typeof(GameJson))] public static partial "
                    + "class GamePackets; for messages with [PacketId]. Protobuf messages need no [PacketId]: generate TypeScript from "
                    + "their .proto files."),
            (1, null) => sets[0],
            (_, null) => throw new ContractException($"{file} has several sets of packets: {names}. Choose one with --set NAME."),
            _ => Array.Find(sets, type => type.Name == name)
                ?? throw new ContractException($"{file} has no set of packets {name}. It has: {names}."),
        };
    }

    private static Dictionary<string, Packet> ReadPackets(Type context, ShapeReader reader)
    {
        var packets = new Dictionary<string, Packet>(StringComparer.Ordinal);
        var declared = new Dictionary<string, string>(StringComparer.Ordinal);
        HashSet<Type> serialized =
            [.. context.All(Attributes.Json + "JsonSerializableAttribute").Select(static item => item.Argument<Type>(0)!)];
        IEnumerable<Type> messages = context.Assembly.GetTypes().Where(serialized.Contains)
            .OrderBy(static type => type.FullName, StringComparer.Ordinal);
        foreach (Type message in messages)
        {
            if (message.Find(Attributes.Packets + "PacketIdAttribute") is not { } attribute)
            {
                continue;
            }

            int id = Convert.ToInt32(attribute.ConstructorArguments[0].Value, CultureInfo.InvariantCulture);
            if (packets.Values.FirstOrDefault(packet => packet.Id == id) is { } same)
            {
                throw new ContractException($"Packet id {id} is used twice: by {same.Name} and by {message.Name}. Give one another id.");
            }

            packets.Add(message.FullName!, new Packet(id, reader.ReadMessage(message), attribute.Named<bool>("IsFailure")));
            if (attribute.Named<Type>("Answer") is { } answer)
            {
                declared.Add(message.FullName!, answer.FullName!);
            }
        }

        foreach ((string request, string answer) in declared)
        {
            packets[request].Answer = packets.GetValueOrDefault(answer) ?? throw new ContractException(
                $"The answer to {packets[request].Name}, {answer}, is no packet of the set. Give it [PacketId] and [JsonSerializable].");
        }

        return packets;
    }

    private static void SetDirections(LoadedAssemblies assemblies, Dictionary<string, Packet> packets)
    {
        var scan = new HandlerScan();
        foreach (Assembly assembly in assemblies.Scanned)
        {
            scan.Read(assembly.Location);
        }

        foreach ((string request, string answer) in scan.Answers)
        {
            if (packets.TryGetValue(request, out Packet? packet) && packet.Answer is null)
            {
                packet.Answer = packets.GetValueOrDefault(answer);
            }
        }

        HashSet<Packet?> answers = [.. packets.Values.Select(static packet => packet.Answer)];
        bool isKnown = packets.Keys.Any(scan.Handled.Contains); // else it is a project of messages alone
        foreach ((string message, Packet packet) in packets)
        {
            bool isAnswer = answers.Contains(packet) || packet.IsFailure || scan.ClientAnswers.Contains(message);
            packet.IsSent = packet.Answer is not null || (isKnown ? scan.Handled.Contains(message) : !isAnswer);
            packet.IsReceived = scan.Sent.Contains(message) || !(isAnswer || packet.Answer is not null || (isKnown && packet.IsSent));
        }
    }
}
