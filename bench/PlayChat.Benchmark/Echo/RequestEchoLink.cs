using System.Buffers.Binary;
using Google.Protobuf;
using PlayChat.Benchmark.Failures;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Echo;

/// <summary>
/// A connection that awaits each answer by <see cref="PacketRequests.RequestAsync{TResponse}"/>, as an application does: as many tasks
/// as requests may be outstanding, each with one request after the other.
/// </summary>
/// <remarks>Messages, tasks and timers are allocated for each request. Their cost is what this framing measures.</remarks>
internal sealed class RequestEchoLink(EchoLoad load) : EchoLink(load)
{
    // As an application would set one. Longer than any answer of a server that works.
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private readonly long _budget = load.Settings.MessagesPerConnection ?? long.MaxValue;
    private int _asking = load.Settings.Inflight; // tasks that have not ended
    private long _sent;
    private long _answered;
    private long _received;
    private long _measured;
    private long _gatingViolations;

    /// <inheritdoc/>
    public override long Sent => Math.Min(Interlocked.Read(ref _sent), _budget);

    /// <inheritdoc/>
    public override long GatingViolations => Interlocked.Read(ref _gatingViolations);

    /// <inheritdoc/>
    public override long Received => Interlocked.Read(ref _received);

    /// <inheritdoc/>
    public override long Measured => Interlocked.Read(ref _measured);

    /// <inheritdoc/>
    public override async Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken)
    {
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
    public override void Start(Connection connection)
    {
        for (int i = 0; i < Load.Settings.Inflight; i++)
        {
            _ = Task.Run(() => AskAllAsync(connection));
        }
    }

    private async Task AskAllAsync(Connection connection)
    {
        try
        {
            byte[] payload = new byte[Load.Settings.PayloadBytes];
            Random.Shared.NextBytes(payload);
            while (Load.Clock.Nanoseconds < Load.Window.EndNanoseconds
                && Interlocked.Increment(ref _sent) is var number && number <= _budget)
            {
                await AskAsync(connection, payload, number);
            }
        }
        catch (ConnectionClosedException)
        {
            // OnClosed counts it, once for the connection.
        }
        catch (Exception e)
        {
            Load.Faults.Add($"A request failed: {e.Message}");
        }

        if (Interlocked.Decrement(ref _asking) == 0)
        {
            Finish();
        }
    }

    private async ValueTask AskAsync(Connection connection, byte[] payload, long number)
    {
        if (payload.Length >= sizeof(long))
        {
            BinaryPrimitives.WriteInt64LittleEndian(payload, number);
        }

        if (number - Interlocked.Read(ref _answered) > Load.Settings.Inflight)
        {
            Interlocked.Increment(ref _gatingViolations);
        }

        long sentAt = Load.Clock.Nanoseconds;
        // The payload changes only after the answer has come, so the request need not copy it.
        var request = new CEchoReq { Payload = UnsafeByteOperations.UnsafeWrap(payload) };
        SEchoRes answer = await connection.RequestAsync<SEchoRes>(request, s_timeout);
        long now = Load.Clock.Nanoseconds;
        Interlocked.Increment(ref _answered);
        if (!answer.Payload.Span.SequenceEqual(payload))
        {
            Load.Faults.Add($"The answer to request {number} is not what was sent.");
            return;
        }

        Interlocked.Increment(ref _received);
        bool measured = Load.Window.Contains(now);
        if (measured)
        {
            Interlocked.Increment(ref _measured);
        }

        if (number % Load.Settings.SampleEvery == 0)
        {
            (measured ? Load.Measured : Load.Unmeasured).Record(now - sentAt);
        }
    }
}
