using System.Buffers.Binary;
using System.Text;

namespace PlayChat.Packaging.Tests;

[Collection<PackageCollection>]
public sealed class PackageTests(PackageFeed feed)
{
    private const string Templates = "PlayChat.Templates";
    private const string Benchmark = "PlayChat.Benchmark";
    private const string Tool = "PlayChat.Tool";

    // What each package holds beside the files of all.
    private static readonly Dictionary<string, string[]> s_expected = new(StringComparer.Ordinal)
    {
        ["PlayChat.Abstractions"] = [],
        ["PlayChat.AspNetCore"] = [],
        ["PlayChat.Authentication.Jwt"] = [],
        ["PlayChat.Chat"] = [],
        ["PlayChat.Cluster"] = [],
        ["PlayChat.Cluster.Postgres"] = [],
        ["PlayChat.Cluster.RabbitMq"] = [],
        ["PlayChat.Connector"] = [],
        ["PlayChat.Core"] = ["analyzers/dotnet/cs/PlayChat.Generators.dll", "docs/diagnostics.md"],
        ["PlayChat.Kpi"] = [],
        ["PlayChat.Matchmaking"] = [],
        ["PlayChat.Persistence"] = [],
        ["PlayChat.Recording"] = [],
        ["PlayChat.Players"] = [],
        ["PlayChat.Protobuf"] = [],
        ["PlayChat.Protocol"] = [.. ProtoFiles()],
        ["PlayChat.State"] = [],
        ["PlayChat.State.Abstractions"] = ["analyzers/dotnet/cs/PlayChat.State.Generators.dll", "docs/STATE.md", "docs/diagnostics.md"],
        ["PlayChat.Storage"] = [],
        ["PlayChat.Testing"] = [],
        ["PlayChat.Transport.Linux"] = [],
        ["PlayChat.Webhooks"] = [],
        [Templates] = [.. TemplateFiles()],
        [Benchmark] = [], // see ToolTests
        [Tool] = [], // see ToolTests
    };

    // These are for game engines, too.
    private static readonly string[] s_netStandard = ["PlayChat.Abstractions", "PlayChat.Connector", "PlayChat.State.Abstractions"];

    public static TheoryData<string> Ids => [.. s_expected.Keys];

    public static TheoryData<string> Libraries => [.. s_expected.Keys.Where(static id => id is not (Templates or Benchmark or Tool))];

    [Fact]
    public void The_feed_holds_the_packages_and_no_others() =>
        Assert.Equal(
            s_expected.Keys.Order(StringComparer.Ordinal), feed.Packages.Keys.Order(StringComparer.Ordinal), StringComparer.Ordinal);

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_package_holds_its_library_and_nothing_that_strayed_in(string id)
    {
        string[] libraries =
            [$"lib/net8.0/{id}", .. s_netStandard.Where(other => other == id).Select(static id => $"lib/netstandard2.1/{id}")];
        string[] expected =
        [
            "README.md", "icon.png", .. s_expected[id],
            .. libraries.Select(static path => $"{path}.dll"), .. libraries.Select(static path => $"{path}.xml"),
        ];

        Assert.Equal(expected.Order(StringComparer.Ordinal), feed.Packages[id].Files, StringComparer.Ordinal);
        Assert.Equal(libraries.Select(static path => $"{path}.pdb"), feed.Packages[id].SymbolFiles(), StringComparer.Ordinal);
    }

    [Fact]
    public void The_documentation_tells_of_what_users_see_and_of_nothing_else()
    {
        string text = Encoding.UTF8.GetString(feed.Packages["PlayChat.Core"].ReadFile("lib/net8.0/PlayChat.Core.xml"));

        Assert.All(
            (string[])
            [
                "T:PlayChat.Core.Rooms.Room\"", "M:PlayChat.Core.Rooms.Room`1.#ctor(", "M:PlayChat.Core.Rooms.Room.BroadcastPacket``1(",
                "P:PlayChat.Core.Rooms.MemberRoom`1.Members\"", "F:PlayChat.Core.CloseReason.PeerClosed\"",
            ],
            id => Assert.Contains($"\"{id}", text, StringComparison.Ordinal));
        Assert.All(
            (string[])["PlayChat.Core.Rooms.RoomTurn", "PlayChat.Core.Rooms.IRoomHooks", "PlayChat.Core.Rooms.Room.Outbox"],
            name => Assert.DoesNotContain($":{name}", text, StringComparison.Ordinal));
    }

    [Fact]
    public void The_templates_are_files_alone_that_refer_to_packages_of_their_own_version()
    {
        Package package = feed.Packages[Templates];
        string shared = Encoding.UTF8.GetString(package.ReadFile("content/playchat-server/Directory.Build.props"));

        Assert.Equal(
            s_expected[Templates].Concat(["README.md", "icon.png"]).Order(StringComparer.Ordinal), package.Files, StringComparer.Ordinal);
        Assert.Equal("Template", package.Attribute("packageType", "name"));
        Assert.Empty(package.Dependencies);
        Assert.Contains($"<PlayChatVersion>{package.Value("version")}</PlayChatVersion>", shared, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_package_says_what_it_is(string id)
    {
        Package package = feed.Packages[id];

        Assert.Equal("MIT", package.Value("license"));
        Assert.Equal("expression", package.Attribute("license", "type"));
        Assert.Equal("icon.png", package.Value("icon"));
        Assert.Equal("README.md", package.Value("readme"));
        Assert.Equal("PlayChat contributors", package.Value("authors"));
        Assert.Equal("git", package.Attribute("repository", "type"));
        Assert.True(package.Value("description")!.Length > 50);
        Assert.True(package.Value("tags")!.Split(' ').Length > 3);
        Assert.Matches(@"^\d+\.\d+\.\d+", package.Value("version"));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_package_has_a_README_of_its_own_that_says_how_to_install_it(string id)
    {
        string readme = Encoding.UTF8.GetString(feed.Packages[id].ReadFile("README.md"));

        Assert.StartsWith($"# {id}\n", readme, StringComparison.Ordinal);
        string install = id switch
        {
            Templates => "dotnet new install PlayChat.Templates",
            Benchmark or Tool => $"dotnet tool install --global {id}\n",
            _ => $"dotnet add package {id}\n",
        };
        Assert.Contains(install, readme, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void The_icon_is_a_small_picture(string id)
    {
        byte[] icon = feed.Packages[id].ReadFile("icon.png");

        Assert.Equal("PNG", Encoding.ASCII.GetString(icon, 1, 3));
        Assert.Equal(
            (128, 128), (BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(16)), BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(20))));
        Assert.True(icon.Length < 16 * 1024);
    }

    [Fact]
    public void Core_depends_on_abstractions_alone() =>
        Assert.All(feed.Packages["PlayChat.Core"].Dependencies, static dependency => Assert.True(
            dependency is "PlayChat.Abstractions" or "System.IO.Pipelines" or "Microsoft.Extensions.Configuration.Binder"
                || (dependency.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
                && dependency.EndsWith(".Abstractions", StringComparison.Ordinal)),
            $"Core's package may not depend on {dependency}."));

    [Fact]
    public void The_protobuf_packets_depend_on_Core_and_Protobuf_alone() =>
        Assert.Equal(
            ["Google.Protobuf", "PlayChat.Core"],
            feed.Packages["PlayChat.Protobuf"].Dependencies.Order(StringComparer.Ordinal),
            StringComparer.Ordinal);

    [Fact]
    public void The_cluster_uses_internals_of_Core_so_it_needs_the_version_that_it_was_built_with() =>
        Assert.Equal($"[{feed.Packages["PlayChat.Core"].Value("version")}]", feed.Packages["PlayChat.Cluster"].VersionOf("PlayChat.Core"));

    [Theory]
    [InlineData("PlayChat.Players")]
    [InlineData("PlayChat.Webhooks")]
    public void A_package_that_uses_internals_of_Storage_needs_the_version_that_it_was_built_with(string id) => Assert.Equal(
        $"[{feed.Packages["PlayChat.Storage"].Value("version")}]", feed.Packages[id].VersionOf("PlayChat.Storage"));

    [Fact]
    public void The_state_depends_on_Core_and_its_classes_depend_on_nothing_and_travel_with_their_wire_format()
    {
        Package classes = feed.Packages["PlayChat.State.Abstractions"];

        Assert.Equal(
            ["PlayChat.Core", "PlayChat.State.Abstractions"],
            feed.Packages["PlayChat.State"].Dependencies.Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        Assert.Equal($"[{classes.Value("version")}]", feed.Packages["PlayChat.State"].VersionOf("PlayChat.State.Abstractions"));
        Assert.Empty(classes.Dependencies);
        Assert.Equal(
            Repository.Read("proto/STATE.md"), Encoding.UTF8.GetString(classes.ReadFile("docs/STATE.md")).ReplaceLineEndings("\n"));
    }

    [Fact]
    public void The_package_for_ASP_NET_Core_depends_on_Core_alone() =>
        Assert.Equal(["PlayChat.Core"], feed.Packages["PlayChat.AspNetCore"].Dependencies, StringComparer.Ordinal);

    [Fact]
    public void The_wire_format_travels_with_the_protocol()
    {
        foreach (string file in ProtoFiles())
        {
            Assert.Equal(
                Repository.Read(file), Encoding.UTF8.GetString(feed.Packages["PlayChat.Protocol"].ReadFile(file)).ReplaceLineEndings("\n"));
        }
    }

    private static IEnumerable<string> TemplateFiles() =>
        Directory.GetFiles(Repository.PathOf("templates/playchat-server"), "*", SearchOption.AllDirectories)
        .Select(static file => $"content/{Path.GetRelativePath(Repository.PathOf("templates"), file).Replace('\\', '/')}")
        .Concat(Directory.GetFiles(Repository.PathOf("clients/core/dist"), "*", SearchOption.AllDirectories)
            .Select(static file => Path.GetRelativePath(Repository.PathOf("clients/core"), file).Replace('\\', '/'))
            .Concat(["package.json", "README.md", "LICENSE"])
            .Select(static file => $"content/playchat-server/PlayChat-Game.Page/playchat-core/{file}"));

    private static IEnumerable<string> ProtoFiles() => Directory.GetFiles(Repository.PathOf("proto")).Select(Path.GetFileName)
        .Where(static file => file != "STATE.md").Select(static file => $"proto/{file}");
}
