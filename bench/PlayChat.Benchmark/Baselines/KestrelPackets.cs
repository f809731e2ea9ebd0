using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using Google.Protobuf;
using Microsoft.AspNetCore.Connections;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// What Kestrel calls for each connection of the chat protocol: it answers logins and echo requests, so that typed messages with
/// request ids are compared with the same work.
/// </summary>
internal sealed class KestrelPackets(BaselineHub hub) : ConnectionHandler
{
    private const int LengthBytes = 4;
    private const int HeaderBytes = 8; // length, packet id, request id; proto/PROTOCOL.md, "Framing"

    public override async Task OnConnectedAsync(ConnectionContext connection)
    {
        hub.Counters.OnAccepted();
        try
        {
            await ReceiveAsync(connection.Transport);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The peer disconnected or sent what is no packet, or the server stops.
        }
        finally
        {
            hub.Counters.OnClosed();
        }
    }

    private static void Answer(in ReadOnlySequence<byte> packet, PipeWriter output)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        packet.Slice(0, HeaderBytes).CopyTo(header);
        ushort requestId = BinaryPrimitives.ReadUInt16BigEndian(header[6..]);
        ReadOnlySequence<byte> body = packet.Slice(HeaderBytes);
        switch ((PacketId)BinaryPrimitives.ReadUInt16BigEndian(header[LengthBytes..]))
        {
            case PacketId.CEchoReq:
                Write(output, PacketId.SEchoRes, requestId, new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(body).Payload });
                break;
            case PacketId.CLoginReq:
                Write(output, PacketId.SLoginRes, requestId, new SLoginRes { Name = CLoginReq.Parser.ParseFrom(body).Name });
                break;
            default:
                throw new InvalidOperationException("The baseline answers logins and echo requests only.");
        }
    }

    private static void Write(PipeWriter output, PacketId id, ushort requestId, IMessage message)
    {
        int bytes = message.CalculateSize();
        Span<byte> packet = output.GetSpan(HeaderBytes + bytes);
        BinaryPrimitives.WriteInt32BigEndian(packet, HeaderBytes - LengthBytes + bytes);
        BinaryPrimitives.WriteUInt16BigEndian(packet[LengthBytes..], (ushort)id);
        BinaryPrimitives.WriteUInt16BigEndian(packet[6..], requestId);
        message.WriteTo(packet.Slice(HeaderBytes, bytes));
        output.Advance(HeaderBytes + bytes);
    }

    // All answers to one read with one flush.
    private async Task ReceiveAsync(IDuplexPipe transport)
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
                AnswerAll(received.Slice(0, run.Bytes), transport.Output);
                hub.Counters.OnEchoed(run.Frames);
                hub.Counters.OnSent(transport.Output.UnflushedBytes, operations: 0); // Kestrel sends on its own
                await transport.Output.FlushAsync();
            }

            transport.Input.AdvanceTo(received.GetPosition(run.Bytes), received.End);
            if (result.IsCompleted)
            {
                return;
            }
        }
    }

    private static void AnswerAll(ReadOnlySequence<byte> whole, PipeWriter output)
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

            Answer(whole.Slice(0, bytes), output);
            whole = whole.Slice(bytes);
        }
    }
}
