using System.IO.Pipelines;
using Google.Protobuf;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Kestrel with a ConnectionHandler of its own: its sockets, its pipes, its scheduling.</summary>
/// <remarks>
/// Bounds: Kestrel's own of both pipes (1 MB of input, 64 KB of output), and the outbox where others broadcast to a connection.
/// </remarks>
internal sealed class KestrelServer : IBaselineServer
{
    private readonly WebApplication _application;

    private KestrelServer(WebApplication application, BaselineCounters counters)
    {
        _application = application;
        Counters = counters;
        Port = PortOf(application);
    }

    public int Port { get; }

    public BaselineCounters Counters { get; }

    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        var hub = new BaselineHub(settings);
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton(hub).AddSingleton(settings);
        builder.WebHost.UseKestrelCore()
            .UseSockets(static sockets => sockets.Backlog = BaselineSettings.Backlog)
            .ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, settings.Port, listener =>
            {
                if (settings.Certificate is not null)
                {
                    listener.UseHttps(settings.Certificate);
                }

                listener.UseConnectionHandler<KestrelConnections>();
            }));
        if (settings.Certificate is not null)
        {
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        WebApplication application = builder.Build();
        await application.StartAsync();
        return new KestrelServer(application, hub.Counters);
    }

    /// <summary>The port of an application that listens at one address.</summary>
    public static int PortOf(WebApplication application) => new Uri(
        application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()).Port;

    /// <summary>Stops an application without patience for connections that are still open.</summary>
    public static async ValueTask StopAsync(WebApplication application)
    {
        using var now = new CancellationTokenSource();
        await now.CancelAsync();
        await application.StopAsync(now.Token);
        await application.DisposeAsync();
    }

    public ValueTask DisposeAsync() => StopAsync(_application);
}

/// <summary>What Kestrel calls for each connection. All answers to one read leave with one flush.</summary>
internal sealed class KestrelConnections(BaselineHub hub, BaselineSettings settings) : ConnectionHandler
{
    private const int LengthBytes = 4;
    private const int HeaderBytes = 8; // length, packet id, request id; proto/PROTOCOL.md, "Framing"

    public override async Task OnConnectedAsync(ConnectionContext connection)
    {
        var peer = new KestrelPeer(connection, hub);
        BaselineRoom? room = hub.Enter(peer);
        try
        {
            await ReceiveAsync(connection.Transport, room);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The peer disconnected or sent what is no packet, or the server stops.
        }
        finally
        {
            hub.Leave(peer, room);
        }
    }

    private async Task ReceiveAsync(IDuplexPipe transport, BaselineRoom? room)
    {
        long left = 0;
        while (true)
        {
            ReadResult result = await transport.Input.ReadAsync();
            ReadOnlySequence<byte> received = result.Buffer;
            if (result.IsCanceled || !hub.Framing.TryScan(in received, out FrameRun run))
            {
                return;
            }

            hub.Counters.OnReceived(received.Length - left, run.Frames);
            left = received.Length - run.Bytes;
            if (run.Frames > 0)
            {
                await AnswerAsync(transport.Output, received.Slice(0, run.Bytes), run.Frames, room);
            }

            transport.Input.AdvanceTo(received.GetPosition(run.Bytes), received.End);
            if (result.IsCompleted)
            {
                return;
            }
        }
    }

    private async ValueTask AnswerAsync(PipeWriter output, ReadOnlySequence<byte> whole, int frames, BaselineRoom? room)
    {
        if (room is not null)
        {
            room.Broadcast(whole.IsSingleSegment ? whole.First : whole.ToArray(), frames);
            return;
        }

        if (settings.Mode == BaselineMode.Chat)
        {
            AnswerPackets(whole, output);
        }
        else
        {
            foreach (ReadOnlyMemory<byte> piece in whole)
            {
                output.Write(piece.Span);
            }
        }

        hub.Counters.OnEchoed(frames);
        hub.Counters.OnSent(output.UnflushedBytes, operations: 0); // Kestrel sends on its own
        await output.FlushAsync();
    }

    private static void AnswerPackets(ReadOnlySequence<byte> whole, PipeWriter output)
    {
        Span<byte> length = stackalloc byte[LengthBytes];
        while (!whole.IsEmpty)
        {
            whole.Slice(0, LengthBytes).CopyTo(length);
            int bytes = LengthBytes + BinaryPrimitives.ReadInt32BigEndian(length);
            if (bytes < HeaderBytes)
            {
                throw new InvalidOperationException("A packet without ids.");
            }

            AnswerPacket(whole.Slice(0, bytes), output);
            whole = whole.Slice(bytes);
        }
    }

    private static void AnswerPacket(in ReadOnlySequence<byte> packet, PipeWriter output)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        packet.Slice(0, HeaderBytes).CopyTo(header);
        ReadOnlySequence<byte> body = packet.Slice(HeaderBytes);
        (PacketId id, IMessage answer) = (PacketId)BinaryPrimitives.ReadUInt16BigEndian(header[LengthBytes..]) switch
        {
            PacketId.CEchoReq => (PacketId.SEchoRes, (IMessage)new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(body).Payload }),
            PacketId.CLoginReq => (PacketId.SLoginRes, new SLoginRes { Name = CLoginReq.Parser.ParseFrom(body).Name }),
            _ => throw new InvalidOperationException("The baseline answers logins and echo requests only."),
        };
        int bytes = answer.CalculateSize();
        Span<byte> written = output.GetSpan(HeaderBytes + bytes);
        BinaryPrimitives.WriteInt32BigEndian(written, HeaderBytes - LengthBytes + bytes);
        BinaryPrimitives.WriteUInt16BigEndian(written[LengthBytes..], (ushort)id);
        header[6..].CopyTo(written[6..]); // the request's id
        answer.WriteTo(written.Slice(HeaderBytes, bytes));
        output.Advance(HeaderBytes + bytes);
    }
}

/// <summary>A connection of <see cref="KestrelServer"/>, as the others of its room see it.</summary>
internal sealed class KestrelPeer(ConnectionContext connection, BaselineHub hub) : IBaselineMember
{
    private readonly Outbox _outbox = new();

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            hub.Counters.OnSlowConsumer();
            connection.Abort();
        }
    }

    public void Flush() => _ = SendOutboxAsync();

    // A pipe has one writer at a time, so the thread that flushes first also writes what arrives meanwhile.
    private async Task SendOutboxAsync()
    {
        try
        {
            for (bool more = _outbox.TryBegin(out ReadOnlyMemory<byte> block); more; more = _outbox.TryContinue(out block))
            {
                await connection.Transport.Output.WriteAsync(block);
                hub.Counters.OnSent(block.Length, operations: 0); // Kestrel sends on its own
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The receive loop ends as well.
        }
    }
}
