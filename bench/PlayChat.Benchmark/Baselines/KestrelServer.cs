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
/// <remarks>Bounds: Kestrel's own of both pipes (1 MB of input, 64 KB of output), and the outbox of a member of a room.</remarks>
internal static class KestrelServer
{
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
        return new WebServer(application, hub.Counters);
    }
}

/// <summary>An application of ASP.NET Core that listens at one address. It ends without patience for open connections.</summary>
internal sealed class WebServer(WebApplication application, BaselineCounters counters) : IBaselineServer
{
    public int Port { get; } = new Uri(
        application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()).Port;

    public BaselineCounters Counters => counters;

    public async ValueTask DisposeAsync()
    {
        await application.StopAsync(new CancellationToken(canceled: true));
        await application.DisposeAsync();
    }
}

/// <summary>What Kestrel calls for each connection. All answers to one read leave with one flush.</summary>
internal sealed class KestrelConnections(BaselineHub hub, BaselineSettings settings) : ConnectionHandler
{
    private const int IdBytes = 4; // packet id, request id; proto/PROTOCOL.md, "Framing"
    private const int HeaderBytes = 4 + IdBytes; // the length first

    public override async Task OnConnectedAsync(ConnectionContext connection)
    {
        var peer = new KestrelPeer(connection, hub.Counters);
        BaselineRoom? room = hub.Enter(peer);
        try
        {
            await ReceiveAsync(connection.Transport, room);
        }
        catch (Exception e) when (BaselineMember.IsEnd(e))
        {
            // It is no fault of this server.
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
        var reader = new SequenceReader<byte>(whole);
        while (reader.TryReadBigEndian(out int length))
        {
            if (length < IdBytes || !reader.TryReadBigEndian(out short id) || !reader.TryReadBigEndian(out short requestId))
            {
                throw new InvalidOperationException("A packet without ids.");
            }

            ReadOnlySequence<byte> body = reader.UnreadSequence.Slice(0, length - IdBytes);
            reader.Advance(body.Length);
            (PacketId answerId, IMessage answer) = (PacketId)id switch
            {
                PacketId.CEchoReq => (PacketId.SEchoRes, (IMessage)new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(body).Payload }),
                PacketId.CLoginReq => (PacketId.SLoginRes, new SLoginRes { Name = CLoginReq.Parser.ParseFrom(body).Name }),
                _ => throw new InvalidOperationException("The baseline answers logins and echo requests only."),
            };
            int bytes = answer.CalculateSize();
            Span<byte> written = output.GetSpan(HeaderBytes + bytes);
            BinaryPrimitives.WriteInt32BigEndian(written, IdBytes + bytes);
            BinaryPrimitives.WriteUInt16BigEndian(written[4..], (ushort)answerId);
            BinaryPrimitives.WriteInt16BigEndian(written[6..], requestId);
            answer.WriteTo(written.Slice(HeaderBytes, bytes));
            output.Advance(HeaderBytes + bytes);
        }
    }
}

/// <summary>A connection of <see cref="KestrelConnections"/>, as the others of its room see it.</summary>
internal sealed class KestrelPeer(ConnectionContext connection, BaselineCounters counters) : BaselineMember(counters)
{
    public override void Close() => connection.Abort();

    protected override async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        await connection.Transport.Output.WriteAsync(bytes);
        Counters.OnSent(bytes.Length, operations: 0); // Kestrel sends on its own
    }
}
