using System.Buffers;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace PlayChat.Protocol.Tests;

/// <summary>One packet of <see cref="ChatPackets"/>.</summary>
/// <param name="Id">The packet id.</param>
/// <param name="Name">The packet's name.</param>
/// <param name="Message">What kind of message its body is.</param>
/// <param name="Decode">The packet's own decoding; null where it says that the body is no such message.</param>
/// <param name="Encode">The packet's own encoding.</param>
internal sealed record CatalogEntry(
    ushort Id, string Name, MessageDescriptor Message, Func<ReadOnlySequence<byte>, IMessage?> Decode, Func<IMessage, byte[]> Encode);
