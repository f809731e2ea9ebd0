using PlayChat.Core.Packets;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Packets;

public sealed class PacketSetTests
{
    private readonly TextPacket _text = new(2);
    private readonly NumberPacket _number = new(1);

    [Fact]
    public void A_packet_is_found_by_its_message_and_by_its_id()
    {
        PacketSet packets = new PacketSet().Add(_text).Add(_number);

        Assert.Same(_text, packets.Get<string>());
        Assert.Same(_number, packets.Get<long>(1));
        Assert.Same(_text, packets.Find(2));
        Assert.Null(packets.Find(3));
        Assert.Equal([1, 2], packets.All.Select(static type => (int)type.Id));
    }

    [Fact]
    public void A_message_of_no_packet_or_of_several_is_refused_with_what_to_do()
    {
        PacketSet packets = new PacketSet().Add(_text).Add(new TextPacket(3));

        Assert.Contains("2 (TEXT_2), 3 (TEXT_3)", Refused(() => packets.Get<string>()), StringComparison.Ordinal);
        Assert.Contains("No packet carries System.Int64", Refused(() => packets.Get<long>()), StringComparison.Ordinal);
        Assert.Contains("No packet has the id 9", Refused(() => packets.Get<long>(9)), StringComparison.Ordinal);
        Assert.Contains("carries System.String, not System.Int64", Refused(() => packets.Get<long>(3)), StringComparison.Ordinal);
        Assert.Equal(3, packets.Get<string>(3).Id);
    }

    [Fact]
    public void An_id_is_used_once()
    {
        PacketSet packets = new PacketSet().Add(_text);

        Assert.Contains("used twice: by TEXT_2 and by NUMBER_2", Refused(() => packets.Add(new NumberPacket(2))), StringComparison.Ordinal);
    }

    [Fact]
    public void Sets_are_put_together_and_keep_what_says_that_a_request_failed()
    {
        PacketSet packets = new PacketSet().Add(new PacketSet().Add(_text).Add(_number, isFailure: true));

        Assert.True(packets.IsFailure(_number));
        Assert.False(packets.IsFailure(_text));
        Assert.Same(_text, packets.Get<string>());
    }

    [Fact]
    public void A_set_in_use_does_not_change()
    {
        PacketSet packets = new PacketSet().Add(_text).Seal();

        Assert.Contains("too late", Refused(() => packets.Add(_number)), StringComparison.Ordinal);
        Assert.Equal(2, new PacketSet().Add(packets).Add(_number).All.Count());
    }

    private static string Refused(Func<object> get) => Assert.Throws<InvalidOperationException>(get).Message;
}
