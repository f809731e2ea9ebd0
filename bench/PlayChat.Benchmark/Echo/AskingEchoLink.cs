using Google.Protobuf;
using PlayChat.Core.Dispatch;

namespace PlayChat.Benchmark.Echo;

/// <summary>Awaits each answer, as an application does: a task for each request that may be outstanding, each with one at a time.</summary>
/// <typeparam name="TAnswer">The answer, as the library of the client gives it.</typeparam>
internal abstract class AskingEchoLink<TAnswer>(EchoLoad load) : EchoLink(load)
{
    private readonly long _budget = load.Settings.MessagesPerConnection ?? long.MaxValue;
    private int _asking = load.Settings.Inflight; // tasks that have not ended
    private long _wrong;

    public override long Sent => Math.Min(base.Sent, _budget);

    public override void Start(Connection connection)
    {
        for (int i = 0; i < Load.Settings.Inflight; i++)
        {
            _ = Task.Run(AskAllAsync);
        }
    }

    /// <param name="payload">The payload. It does not change before the answer arrives.</param>
    protected abstract ValueTask<TAnswer> AskAsync(byte[] payload);

    protected abstract bool IsRight(TAnswer answer, byte[] payload);

    /// <summary>Whether an exception says that the connection has ended, which <see cref="EchoLink.OnClosed"/> counts.</summary>
    protected abstract bool IsClose(Exception exception);

    private async Task AskAllAsync()
    {
        try
        {
            byte[] payload = new byte[Load.Settings.PayloadBytes];
            Random.Shared.NextBytes(payload);
            long sentAt;
            while ((sentAt = Load.Clock.Nanoseconds) < Load.Window.EndNanoseconds
                && Interlocked.Increment(ref _sent) is var number && number <= _budget)
            {
                Prepare(payload, number);
                // In this method: a method around it would allocate its state for each request, and that is not the library's.
                TAnswer answer = await AskAsync(payload);
                Count(IsRight(answer, payload), number, sentAt);
            }
        }
        catch (Exception e) when (IsClose(e))
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

    private void Prepare(byte[] payload, long number)
    {
        if (payload.Length >= sizeof(long))
        {
            BinaryPrimitives.WriteInt64LittleEndian(payload, number);
        }

        if (number - Interlocked.Read(ref _received) - Interlocked.Read(ref _wrong) > Load.Settings.Inflight)
        {
            Interlocked.Increment(ref _gatingViolations);
        }
    }

    private void Count(bool isRight, long number, long sentAt)
    {
        if (!isRight)
        {
            Interlocked.Increment(ref _wrong);
            Load.Faults.Add($"The answer to request {number} is not what was sent.");
            return;
        }

        long now = Load.Clock.Nanoseconds;
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

/// <summary>A connection that awaits each answer by <see cref="Connection.RequestAsync{TResponse}"/>.</summary>
/// <remarks>It allocates messages and the request. This framing measures their cost.</remarks>
internal sealed class RequestEchoLink(EchoLoad load) : AskingEchoLink<SEchoRes>(load)
{
    // As an application would set one. Longer than any answer of a server that works.
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private Connection _connection = null!; // set by LoginAsync

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

    // The payload changes only after the answer has arrived, so the request need not copy it.
    protected override ValueTask<SEchoRes> AskAsync(byte[] payload) =>
        _connection.RequestAsync<SEchoRes>(new CEchoReq { Payload = UnsafeByteOperations.UnsafeWrap(payload) }, s_timeout);

    protected override bool IsRight(SEchoRes answer, byte[] payload) => answer.Payload.Span.SequenceEqual(payload);

    protected override bool IsClose(Exception exception) => exception is ConnectionClosedException;
}
