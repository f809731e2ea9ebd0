using System.Buffers;
using System.Reflection;
using Google.Protobuf;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>The entries of <see cref="ChatPackets"/> without their types, so that a test can go through all of them.</summary>
internal static class PacketCatalog
{
    private static readonly MethodInfo s_wrap = typeof(PacketCatalog)
        .GetMethod(nameof(Wrap), BindingFlags.NonPublic | BindingFlags.Static)!;

    public static IReadOnlyList<CatalogEntry> Entries { get; } = ChatPackets.All.All
        .Select(type => (CatalogEntry)s_wrap.MakeGenericMethod(type.MessageType).Invoke(null, [type])!)
        .ToArray();

    private static CatalogEntry Wrap<TMessage>(PacketType<TMessage> packet)
        where TMessage : class, IMessage<TMessage>, new()
    {
        return new CatalogEntry(packet.Id, packet.Name, new TMessage().Descriptor, Decode, Encode);

        IMessage? Decode(ReadOnlySequence<byte> body)
        {
            TMessage? decoded = null;
            FrameScan.VisitBody(body, (in Frame frame) => decoded = packet.TryDecode(in frame, out TMessage? message) ? message : null);
            return decoded;
        }

        byte[] Encode(IMessage message)
        {
            byte[] body = new byte[packet.GetBodyBytes((TMessage)message)];
            packet.Encode((TMessage)message, body);
            return body;
        }
    }
}
