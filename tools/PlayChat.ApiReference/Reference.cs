using System.Reflection;
using PlayChat.AspNetCore;
using PlayChat.Authentication.Jwt;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.Cluster.RabbitMq;
using PlayChat.Connector;
using PlayChat.Core;
using PlayChat.Core.Hosting;
using PlayChat.Matchmaking;
using PlayChat.Persistence;
using PlayChat.Players;
using PlayChat.Protobuf;
using PlayChat.Protocol;
using PlayChat.Recording;
using PlayChat.State;
using PlayChat.Storage;
using PlayChat.Testing;
using PlayChat.Transport.Linux;
using PlayChat.Webhooks;

namespace PlayChat.ApiReference;

/// <summary>The reference: a page for each type, one for each namespace that lists its types, and one that lists the namespaces.</summary>
internal static class Reference
{
    private static readonly Assembly[] s_assemblies =
    [
        typeof(CloseReason).Assembly,
        typeof(PlayChatServer).Assembly,
        typeof(GameClient).Assembly,
        typeof(PlayChatConnectionBuilderExtensions).Assembly,
        typeof(JwtAuthenticator).Assembly,
        typeof(IRoomBackplane).Assembly,
        typeof(PostgresDirectory).Assembly,
        typeof(RabbitMqBackplane).Assembly,
        typeof(IMatchQueue).Assembly,
        typeof(IRoomStore).Assembly,
        typeof(RoomRecordings).Assembly,
        typeof(ProtobufPacketSetExtensions).Assembly,
        typeof(ChatClient).Assembly,
        typeof(IPlayerStore).Assembly,
        typeof(SyncObject).Assembly,
        typeof(StateOptions).Assembly,
        typeof(IChatStore).Assembly,
        typeof(RoomHarness).Assembly,
        typeof(LinuxTransport).Assembly,
        typeof(WebhookService).Assembly,
    ];

    /// <summary>Makes the pages, by their paths below the output folder; lines end with a line feed.</summary>
    public static IReadOnlyDictionary<string, string> Create()
    {
        var catalog = new Catalog(s_assemblies);
        var pages = new SortedDictionary<string, string>(StringComparer.Ordinal);
        List<string> index = ["# API reference\n\nEvery public type of the packages, from the XML documentation in the code.\n"];
        foreach (Assembly assembly in catalog.Assemblies)
        {
            index.Add($"\n## {assembly.GetName().Name}\n\n| namespace | types |\n| --- | --- |\n");
            foreach (IGrouping<string, Type> space in catalog.SpacesOf(assembly))
            {
                pages[$"{space.Key}/README.md"] = PageOf(space.Key, catalog); // its types of all packages
                foreach (Type type in space)
                {
                    pages[Catalog.PageOf(type)] = new TypePage(catalog, type).Write();
                }

                string types = string.Join(", ", space.Select(static type => $"[`{Signatures.NameOf(type)}`]({Catalog.PageOf(type)})"));
                index.Add($"| [{space.Key}]({space.Key}/README.md) | {types} |\n");
            }
        }

        pages["README.md"] = string.Concat(index);
        return pages;
    }

    private static string PageOf(string space, Catalog catalog) =>
        $"# {space}\n\n| type | what it is |\n| --- | --- |\n{string.Concat(catalog.TypesIn(space).Select(type =>
            $"| {catalog.LinkTo(type)} | {TypePage.Cell(catalog.DocsOf(type)?.Summary)} |\n"))}";
}
