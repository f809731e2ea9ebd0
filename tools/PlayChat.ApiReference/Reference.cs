using System.Reflection;
using PlayChat.AspNetCore;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.Cluster.RabbitMq;
using PlayChat.Core;
using PlayChat.Matchmaking;
using PlayChat.Players;
using PlayChat.Protobuf;
using PlayChat.Protocol;
using PlayChat.State;
using PlayChat.Storage;
using PlayChat.Testing;
using PlayChat.Transport.Linux;

namespace PlayChat.ApiReference;

/// <summary>The reference: one page a namespace, and one that lists them.</summary>
internal static class Reference
{
    // What the protobuf compiler makes is described by the .proto files.
    private static readonly string[] s_generated = ["Google.Protobuf.IMessage", "Google.Protobuf.Reflection"];

    private static readonly Assembly[] s_assemblies =
    [
        typeof(CloseReason).Assembly,
        typeof(PlayChatConnectionBuilderExtensions).Assembly,
        typeof(IRoomBackplane).Assembly,
        typeof(PostgresDirectory).Assembly,
        typeof(RabbitMqBackplane).Assembly,
        typeof(IMatchQueue).Assembly,
        typeof(ProtobufPacketSetExtensions).Assembly,
        typeof(ChatClient).Assembly,
        typeof(IPlayerStore).Assembly,
        typeof(SyncObject).Assembly,
        typeof(IChatStore).Assembly,
        typeof(RoomHarness).Assembly,
        typeof(LinuxTransport).Assembly,
    ];

    /// <summary>Makes the pages, by file name; lines end with a line feed.</summary>
    public static IReadOnlyDictionary<string, string> Create()
    {
        var pages = new SortedDictionary<string, string>(StringComparer.Ordinal);
        List<string> index =
            ["# API reference\n\nGenerated from the XML documentation by `dotnet run --project tools/PlayChat.ApiReference`.\n"];
        foreach (Assembly assembly in s_assemblies)
        {
            index.Add($"\n## {assembly.GetName().Name}\n\n| namespace | types |\n| --- | --- |\n");
            var docs = new XmlDocs(assembly);
            foreach (IGrouping<string, Type> space in assembly.GetExportedTypes().Where(IsDescribed)
                .GroupBy(static type => type.Namespace!, StringComparer.Ordinal).OrderBy(static space => space.Key, StringComparer.Ordinal))
            {
                Type[] types = [.. space.OrderBy(Signatures.NameOf, StringComparer.Ordinal)];
                string name = $"{space.Key}.md";
                pages[name] = PageOf(space.Key, types, docs);
                index.Add(
                    $"| [{space.Key}]({name}) | {string.Join(", ", types.Select(static type => $"`{Signatures.NameOf(type)}`"))} |\n");
            }
        }

        pages["README.md"] = string.Concat(index);
        return pages;
    }

    private static bool IsDescribed(Type type) =>
        !type.GetInterfaces().Any(static made => s_generated.Any(name => made.FullName?.StartsWith(name, StringComparison.Ordinal) == true))
        && !type.GetFields(BindingFlags.Static | BindingFlags.Public)
            .Any(static field => field.IsDefined(typeof(Google.Protobuf.Reflection.OriginalNameAttribute)))
        && !type.Name.EndsWith("Reflection", StringComparison.Ordinal);

    private static string PageOf(string space, Type[] types, XmlDocs docs)
    {
        List<string> page = [$"# {space}\n"];
        foreach (Type type in types)
        {
            page.Add($"\n## {Signatures.NameOf(type)}\n\n`{Signatures.Declaration(type)}`\n");
            Append(page, docs.Of(type));
            foreach (MemberInfo member in Signatures.MembersOf(type))
            {
                page.Add($"\n### `{Signatures.Of(member)}`\n");
                Append(page, docs.Of(member));
            }
        }

        return string.Concat(page);
    }

    private static void Append(List<string> page, MemberDocs? docs)
    {
        if (docs is null)
        {
            return;
        }

        foreach (string text in new[] { docs.Summary, docs.Remarks }.Where(static text => text.Length > 0))
        {
            page.Add($"\n{text}\n");
        }

        if (docs.Details.Count > 0)
        {
            page.Add("\n");
            foreach (string detail in docs.Details)
            {
                page.Add($"- {detail}\n");
            }
        }
    }
}
