using PlayChat.Connector;
using PlayChat.GameServer;

namespace PlayChat.Connector.Tests;

/// <summary>Packets of a contract that the server and the game share: both read the ids from its messages.</summary>
public sealed class PacketSetTests
{
    [Fact]
    public void A_JSON_packet_of_the_server_has_the_id_of_its_message()
    {
        Core.Packets.PacketSet packets = new Core.Packets.PacketSet().AddJson(GameJson.Default.Join).AddJson(GameJson.Default.Problem);

        Assert.Equal((1, 9), (packets.Get<Join>().Id, packets.Get<Problem>().Id));
        Assert.Equal("Join", packets.Find(1)!.Name);
        Assert.Contains("String has no [PacketId]", Refused(() => packets.AddJson(GameJson.Default.String)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_JSON_packet_of_the_game_has_the_id_of_its_message()
    {
        PacketSet packets = new PacketSet().AddJson(GameJson.Default.Join);

        Assert.Contains("Packet id 1 is used twice", Refused(() => packets.AddRaw(1, "Picture")), StringComparison.Ordinal);
        Assert.Contains("String has no [PacketId]", Refused(() => packets.AddJson(GameJson.Default.String)), StringComparison.Ordinal);
    }

    private static string Refused(Action action) => Assert.Throws<InvalidOperationException>(action).Message;
}
