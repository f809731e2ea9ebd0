using System.Security.Cryptography;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The command <c>check-config</c> as a process of its own.</summary>
public sealed class CheckConfigTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_valid_configuration_is_summed_up_and_nothing_is_written()
    {
        string token = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        string file = await WriteAsync($$"""{ "Rooms": { "MaxRooms": 50 }, "Operations": { "Token": "{{token}}" } }""");

        await using ProgramProcess program = Start(
            "--config", file, "--Serilog:WriteTo:0:Name=File", "--Serilog:WriteTo:0:Args:path=x.log");

        Assert.True(await program.WaitForExitAsync() == 0, program.Describe());
        Assert.Equal(
            "The configuration is valid. Other than the defaults:|  Operations:Token=***|  Rooms:MaxRooms=50",
            string.Join('|', program.OutputLines.Where(IsOfTheFile)));
        Assert.Equal(file, Assert.Single(Directory.EnumerateFileSystemEntries(_folder.Path)));
    }

    // The environment sets the transport when all tests run on another one.
    private static bool IsOfTheFile(string line) => !line.StartsWith("  Transport=", StringComparison.Ordinal);

    [Theory]
    [InlineData("""{ "Rooms": { "MaxRooms": 0 }, "Mode": "chess" }""", "Mode is 'chess'", "Rooms:MaxRooms is '0'")]
    [InlineData("""{ "Romms": { "MaxMembers": 1 } }""", "did you mean PlayChat:Rooms:MaxMembers?", Traits = ["Tier", "Full"])]
    [InlineData(
        """{ "PlayChat": { "Endpoints": [ { "Tls": { "CertificatePath": "none.pem" } } ] } }""", "none.pem", Traits = ["Tier", "Full"])]
    [InlineData("""{ "Operations": { "Address": "*:7781", "Enabled": true } }""", "other machines can reach", Traits = ["Tier", "Full"])]
    [InlineData(
        """{ "Operations": { "Enabled": true, "CertificatePath": "settings.json" } }""", "Operations:CertificatePath",
        Traits = ["Tier", "Full"])]
    [InlineData("""{ "Storage": { "Provider": "Postgres" } }""", "needs Storage:ConnectionString", Traits = ["Tier", "Full"])]
    [InlineData(
        """{ "Serilog": { "MinimumLevel": { "Default": "Loud" } } }""", "Serilog:MinimumLevel:Default is 'Loud'",
        Traits = ["Tier", "Full"])]
    [InlineData("""{ "Rooms": """, "settings.json failed: ", Traits = ["Tier", "Full"])]
    public async Task Each_problem_of_the_file_is_a_line_and_the_exit_code_is_1(string settings, params string[] problems)
    {
        string file = await WriteAsync(settings);

        await using ProgramProcess program = Start("--config", file);

        Assert.True(await program.WaitForExitAsync() == 1, program.Describe());
        // The problems of the framework's own options have a headline.
        Assert.InRange(program.ErrorLines.Count(static line => line.Length > 0), problems.Length, problems.Length + 1);
        Assert.All(problems, problem => Assert.Contains(
            program.ErrorLines, line => line.Contains(problem, StringComparison.Ordinal)));
        Assert.Empty(program.OutputLines);
    }

    [Fact]
    public async Task A_wrong_command_line_ends_with_exit_code_2()
    {
        await using ProgramProcess program = Start("--Rooms:MaxRoom=5");

        Assert.True(await program.WaitForExitAsync() == 2, program.Describe());
        Assert.Contains("did you mean --Rooms:MaxRooms?", string.Join('\n', program.ErrorLines), StringComparison.Ordinal);
    }

    private async Task<string> WriteAsync(string settings)
    {
        string file = _folder.Combine("settings.json");
        await File.WriteAllTextAsync(file, settings);
        return file;
    }

    private ProgramProcess Start(params string[] arguments)
    {
        (string program, string[] all) = ProgramProcess.CommandOf(ProgramFile.Server, ["check-config", .. arguments]);
        return ProgramProcess.Start(program, _folder.Path, all);
    }
}
