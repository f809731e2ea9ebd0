using Google.Protobuf.Reflection;
using PlayChat.Core;

namespace PlayChat.Protocol.Tests;

public sealed class ChatPacketsTests
{
    [Fact]
    public void Every_packet_id_has_exactly_one_packet_of_its_name()
    {
        IEnumerable<string> ids = PacketsReflection.Descriptor.FindTypeByName<EnumDescriptor>(nameof(PacketId)).Values
            .Where(value => value.Number != 0)
            .Select(value => $"{value.Number} {value.Name}");

        IEnumerable<string> packets = PacketCatalog.Entries.Select(entry => $"{entry.Id} {entry.Name}");

        Assert.Equal(ids.Order(StringComparer.Ordinal), packets.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_packet_carries_the_message_of_its_name()
    {
        foreach (CatalogEntry entry in PacketCatalog.Entries)
        {
            Assert.Equal(((PacketId)entry.Id).ToString(), entry.Message.Name);
        }
    }

    [Fact]
    public void Clients_and_servers_ids_are_apart_and_small()
    {
        foreach (CatalogEntry entry in PacketCatalog.Entries)
        {
            (int low, int high) = entry.Name.StartsWith("C_", StringComparison.Ordinal) ? (1, 999) : (1001, 1999);
            Assert.InRange(entry.Id, low, high);
        }
    }

    [Fact]
    public void Close_codes_are_the_frameworks_close_reasons()
    {
        foreach (CloseCode code in Enum.GetValues<CloseCode>())
        {
            Assert.Equal(((CloseReason)(int)code).ToString(), code.ToString());
        }
    }
}
