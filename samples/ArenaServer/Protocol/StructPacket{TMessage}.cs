using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace ArenaServer.Protocol;

/// <summary>A packet whose body is a struct as it lies in memory: nothing is allocated, and nothing is faster. Little-endian, as all
/// machines are on which .NET games run.</summary>
internal sealed class StructPacket<TMessage>(ushort id) : PacketType<TMessage>(id, typeof(TMessage).Name)
    where TMessage : unmanaged
{
    public override bool TryDecode(in Frame frame, out TMessage message)
    {
        message = default;
        if (frame.BodyBytes != Unsafe.SizeOf<TMessage>())
        {
            return false;
        }

        frame.CopyTo(MemoryMarshal.AsBytes(new Span<TMessage>(ref message)));
        return true;
    }

    public override int GetBodyBytes(TMessage message) => Unsafe.SizeOf<TMessage>();

    public override void Encode(TMessage message, Span<byte> destination) => MemoryMarshal.Write(destination, in message);
}
