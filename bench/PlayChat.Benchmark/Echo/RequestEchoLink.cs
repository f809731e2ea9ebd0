using Google.Protobuf;
using PlayChat.Benchmark.Failures;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Echo;

/// <summary>A connection that awaits each answer by <see cref="PacketRequests.RequestAsync{TResponse}"/>.</summary>
/// <remarks>Messages, tasks and timers are allocated for each request. Their cost is what this framing measures.</remarks>
internal sealed class RequestEchoLink(EchoLoad load) : AskingEchoLink(load)
{
    // As an application would set one. Longer than any answer of a server that works.
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private Connection _connection = null!; // set by LoginAsync

    /// <inheritdoc/>
    public override async Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken)
    {
        _connection = connection;
        var login = new CLoginReq { Name = name, ClientVersion = "PlayChat.Benchmark" };
        try
        {
            await connection.RequestAsync<SLoginRes>(login, s_timeout, cancellationToken);
        }
        catch (Exception e) when (e is RequestFailedException or ConnectionClosedException or TimeoutException)
        {
            throw new RunFailedException($"The server refused a login: {e.Message}");
        }
    }

    /// <inheritdoc/>
    public override void Start(Connection connection) => Start();

    /// <inheritdoc/>
    protected override async ValueTask<bool> EchoAsync(byte[] payload)
    {
        // The payload changes only after the answer has arrived, so the request need not copy it.
        var request = new CEchoReq { Payload = UnsafeByteOperations.UnsafeWrap(payload) };
        SEchoRes answer = await _connection.RequestAsync<SEchoRes>(request, s_timeout);
        return answer.Payload.Span.SequenceEqual(payload);
    }

    /// <inheritdoc/>
    protected override bool IsClose(Exception exception) => exception is ConnectionClosedException;
}
