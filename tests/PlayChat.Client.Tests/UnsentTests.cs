using System.Globalization;
using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>A script that says more than the server takes at once.</summary>
public sealed class UnsentTests : IAsyncLifetime
{
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _errors = new() { NewLine = "\n" };
    private SmallChatServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await SmallChatServer.StartAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Theory]
    [InlineData(ErrorCode.RateLimited)]
    [InlineData(ErrorCode.ServerBusy)]
    [InlineData(ErrorCode.StorageUnavailable)]
    public async Task What_is_refused_for_the_moment_is_sent_again_in_its_place(ErrorCode code)
    {
        List<CRoomChatReq> refused = [];
        _server.RefuseChat = request =>
        {
            bool isFirst = refused.TrueForAll(other => other.Text != request.Text);
            refused.Add(request);
            return isFirst ? new SErrorNtf { Code = code, Message = "Not now.", RetryAfterMs = 10 } : null;
        };

        int exitCode = await RunAsync(string.Concat(Enumerable.Range(0, 20).Select(static i => $"line {i}\n")));

        Assert.Equal(ExitCode.Success, exitCode);
        Assert.Equal("", _errors.ToString());
        string[] heard = [.. _output.ToString().Split('\n').Where(static line => line.Contains("Bot: line", StringComparison.Ordinal))];
        Assert.Equal(Enumerable.Range(0, 20), heard.Select(static line => int.Parse(line.Split(' ')[^1], CultureInfo.InvariantCulture)));
        Assert.Equal(20, refused.Select(static request => request.ClientMessageId).Distinct().Count());
        Assert.Equal(40, refused.Count);
    }

    [Theory]
    [InlineData("bad\n", "Not sent: It says nothing. (bad)\n")]
    [InlineData("/msg nobody hi\n", "Not sent: no player that you know")]
    [InlineData("/secret\n", "There is no command /secret.")]
    public async Task What_remains_unsent_is_an_error_and_the_rest_is_sent(string input, string error)
    {
        _server.RefuseChat = static request =>
            request.Text == "bad" ? new SErrorNtf { Code = ErrorCode.TextInvalid, Message = "It says nothing." } : null;

        int exitCode = await RunAsync(input + "good\n");

        Assert.Equal(ExitCode.Failed, exitCode);
        Assert.StartsWith(error, _errors.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("Not sent", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("Bot: good", _output.ToString(), StringComparison.Ordinal);
    }

    private async Task<int> RunAsync(string lines)
    {
        await using var ui = new PlainUserInterface(
            new PipeConsole(new StringReader("1\nlobby\n" + lines), _output, _errors, isInteractive: false));
        return await new ChatApp(new ClientOptions { Nodes = [new("127.0.0.1", _server.Port)], Name = "Bot" }, ui, TimeProvider.System)
            .RunAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }
}
