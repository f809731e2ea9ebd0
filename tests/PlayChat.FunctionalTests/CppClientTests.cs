using System.ComponentModel;
using System.Diagnostics;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>samples/cpp-echo-client against the real server: a stranger's client, written from the protocol's document alone.</summary>
[Trait("Tier", "Full")]
public sealed class CppClientTests
{
    private static readonly TimeSpan s_compileTimeout = TimeSpan.FromMinutes(2); // a guard, not a measure

    [Theory]
    [InlineData("--ccu 3 --inflight 7 --size 64 --seconds 1")]
    [InlineData("--ccu 2 --inflight 2 --size 65000 --seconds 1")]
    [InlineData("--ccu 1 --inflight 1 --size 1 --seconds 1")]
    public async Task The_client_in_cpp_gets_every_answer(string options)
    {
        using var folder = new TemporaryDirectory();
        string client = await BuildAsync(folder);
        await using ServerProcess server = await ServerProcess.StartAsync();

        await using ProgramProcess run = ProgramProcess.Start(
            client, folder.Path,
            ["--port", server.Port.ToString(System.Globalization.CultureInfo.InvariantCulture), .. options.Split(' ')]);
        int exitCode = await run.WaitForExitAsync();

        Assert.True(exitCode == 0, run.Describe());
        string line = Assert.Single(run.OutputLines, static line => line.StartsWith("checked", StringComparison.Ordinal));
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries); // checked N sent, M answered rightly
        Assert.Equal(words[1], words[3]);
    }

    [Theory]
    [InlineData("--size 70000", "--size 70000 does not fit the server's largest frame, 65536 bytes.")]
    [InlineData("--inflight 65536", "--inflight is '65536'; allowed is 1 to 65535.")]
    [InlineData("--colour red", "There is no option --colour.")]
    public async Task A_wrong_option_gets_one_line_and_exit_code_2(string options, string message)
    {
        using var folder = new TemporaryDirectory();
        string client = await BuildAsync(folder);
        await using ServerProcess server = await ServerProcess.StartAsync();

        await using ProgramProcess run = ProgramProcess.Start(
            client, folder.Path,
            ["--port", server.Port.ToString(System.Globalization.CultureInfo.InvariantCulture), .. options.Split(' ')]);

        Assert.Equal(2, await run.WaitForExitAsync());
        Assert.StartsWith(message, Assert.Single(run.ErrorLines), StringComparison.Ordinal);
    }

    private static async Task<string> BuildAsync(TemporaryDirectory folder)
    {
        string source = Repository.PathOf("samples/cpp-echo-client/echo_client.cpp");
        string client = folder.Combine("cpp-echo-client");
        try
        {
            using Process compiler = ChildProcess.Start(
                new ProcessStartInfo("c++", ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", client, source])
                {
                    UseShellExecute = false,
                    RedirectStandardError = true
                });
            string errors = await compiler.StandardError.ReadToEndAsync();
            await compiler.WaitForExitAsync().WaitAsync(s_compileTimeout);
            Assert.True(compiler.ExitCode == 0, errors);
        }
        catch (Win32Exception)
        {
            Assert.Skip("There is no C++ compiler (c++) here.");
        }

        return client;
    }
}
