using PlayChat.TestUtilities.Processes;

namespace PlayChat.Connector.Tests;

/// <summary>The statements that each .NET client keeps, against a real server.</summary>
public sealed class ContractTests(GameServers servers) : IClassFixture<GameServers>
{
    private const string Mono = "/usr/bin/mono";
    private const string PublishedVariable = "PLAYCHAT_TEST_CONTRACT";

    private static readonly Dictionary<string, IContractSubject> s_subjects = new(StringComparer.Ordinal)
    {
        ["Connector"] = new ConnectorSubject(),
        ["Connector with Poll"] = new ConnectorSubject(polls: true),
        ["Core"] = new CoreSubject(),
    };

    public static TheoryData<string, string, string> Runs =>
    [
        .. from subject in s_subjects.Keys
        from scheme in (string[])["tcp", "ws"]
        from statement in Statements.All.Keys
        select (subject, scheme, statement),
    ];

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task A_client_keeps_the_contract(string subject, string scheme, string statement)
    {
        await using var run = new ContractRun(s_subjects[subject], servers.Servers, scheme);

        await Statements.All[statement](run);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task On_Mono_the_build_for_NET_Standard_keeps_the_contract()
    {
        Assert.SkipUnless(File.Exists(Mono), $"There is no {Mono}. On Debian: apt-get install mono-devel");

        await KeepAsync(Mono, ProgramFile.Find("PlayChat.ClientContract"));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Published_programs_keep_the_contract()
    {
        string? published = Environment.GetEnvironmentVariable(PublishedVariable);
        Assert.SkipWhen(published is null, $"{PublishedVariable} is not set: the published programs of tests/PlayChat.ClientContract.");

        foreach (string program in published.Split(Path.PathSeparator))
        {
            await KeepAsync(program);
        }
    }

    /// <summary>Runs <c>PlayChat.ClientContract</c> on another runtime.</summary>
    private async Task KeepAsync(string file, params string[] arguments)
    {
        await using ProgramProcess program = ProgramProcess.Start(file, Path.GetTempPath(), [.. arguments, .. servers.Arguments]);
        int failures = await program.WaitForExitAsync();

        Assert.True(failures == 0, program.Describe());
        int passed = program.OutputLines.Count(static line => line.StartsWith("passed ", StringComparison.Ordinal));
        Assert.Equal(4 * Statements.All.Count, passed); // over two transports, with Poll and without
    }
}
