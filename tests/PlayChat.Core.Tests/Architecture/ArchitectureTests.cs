using System.Reflection;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Core.Tests.Architecture;

public sealed class ArchitectureTests
{
    private static readonly Assembly s_core = typeof(FrameFormat).Assembly;

    // Known violations. Each names the part that must change. This list may only shrink: the test also fails for an entry that no longer
    // occurs.
    private static readonly string[] s_allowed =
    [
    ];

    [Fact]
    public void Core_knows_no_log_sink_no_database_and_no_message_format()
    {
        string[] forbidden = ["Serilog", "SqlClient", "Sqlite", "Npgsql", "Dapper", "Protobuf"];

        string[] references = [.. s_core.GetReferencedAssemblies().Select(static name => name.Name!)];

        Assert.DoesNotContain(
            references, reference => forbidden.Any(name => reference.Contains(name, StringComparison.OrdinalIgnoreCase)));
        Assert.All(references, static reference => Assert.True(
            reference.StartsWith("System.", StringComparison.Ordinal)
                || reference.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
                || reference is "netstandard" or "PlayChat.Abstractions",
            $"Core may not reference {reference}."));
    }

    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            s_core,
            "PlayChat.Core",
            [""],
            ["Buffers"],
            ["Diagnostics"],
            ["Framing", "Transport"],
            ["Packets"],
            ["WebSockets"],
            ["Connections"],
            ["Sessions"],
            ["Rooms"],
            ["Dispatch"],
            ["Hosting"],
            ["Clients"]);

        Assert.Empty(rules.FindProblems(s_allowed));
    }
}
