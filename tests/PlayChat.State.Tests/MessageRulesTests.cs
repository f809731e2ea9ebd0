namespace PlayChat.State.Tests;

/// <summary>Messages that differ in one rule of proto/STATE.md: the decoder applies the first and refuses the second.</summary>
public sealed class MessageRulesTests
{
    [Theory]
    [InlineData("01 00 02 00 02 09 02 00 0a 03 00 00", "01 00 02 00 02 09 02 00 09 03 00 00")] // a key twice
    [InlineData("01 00 02 01 07 01 09 01 00 00", "01 00 02 00 01 09 01 00 00")] // two objects with the number 1
    [InlineData("01 01 01 03 c3 a9 00", "01 01 01 03 c3 28 00")] // a text that is no UTF-8
    [InlineData("01 01 04 09 00", "01 01 08 09 00")] // a bit without a slot
    public void A_patch_of_a_world_keeps_the_rules(string valid, string invalid)
    {
        var encoding = new Encoding<World>(new World());
        encoding.State.Players.Add(7, new Player { Name = "Ann" });

        Check(encoding.Snapshot(), static () => new World(), valid, invalid);
    }

    [Theory]
    [InlineData("01 00 80 80 02 01 02 61 00 00", "01 00 80 80 02 01 00 00 00")] // null as a key that is removed
    [InlineData("01 00 80 80 02 00 01 02 61 01 00 00", "01 00 80 80 02 00 01 00 01 00 00")] // null as a key that is set
    [InlineData("01 00 80 20 00 00 01 02 00", "00 01 00 80 20 00 00 01 02")] // a part of a list in an absolute block
    [InlineData("00 01 00 80 04 ff 1f", "00 01 00 80 04 80 20")] // a step out of the range of 12 bits
    [InlineData("01 00 80 04 fe 1f 00", "01 00 80 04 80 20 00")] // the same, as a change from 2,048
    public void A_patch_of_everything_keeps_the_rules(string valid, string invalid) =>
        Check(new Encoding<Everything>(new Everything()).Snapshot(), static () => new Everything(), valid, invalid);

    [Theory]
    [InlineData("00", StateApplyResult.Malformed)]
    [InlineData("01", StateApplyResult.Applied)]
    [InlineData("ff ff ff ff 0f", StateApplyResult.Applied)]
    [InlineData("80 80 80 80 10", StateApplyResult.Malformed)]
    public void A_revision_is_from_1_to_the_last_of_32_bits(string revision, StateApplyResult result)
    {
        byte[] snapshot = new Encoding<World>(new World()).Snapshot();

        Assert.Equal(result, new StateReplica<World>(new World()).Apply([1, .. Bytes(revision), .. snapshot[2..]]));
    }

    [Fact]
    public void A_full_map_sets_a_key_once()
    {
        var encoding = new Encoding<World>(new World());
        encoding.State.Players.Add(7, new Player());
        encoding.State.Players.Add(8, new Player());
        byte[] snapshot = encoding.Snapshot();
        Assert.Equal(StateApplyResult.Applied, new StateReplica<World>(new World()).Apply(snapshot));

        snapshot[Array.LastIndexOf(snapshot, (byte)8)] = 7;

        Assert.Equal(StateApplyResult.Malformed, new StateReplica<World>(new World()).Apply(snapshot));
    }

    /// <summary>Player 9 takes the number of player 7, which leaves in the same message, before it or behind it.</summary>
    [Theory]
    [InlineData("01 00 02 01 07 01 09 01 00 00")]
    [InlineData("01 00 02 00 01 09 01 00 01 00 02 01 07 00")]
    public void A_number_is_taken_again_within_a_message(string blocks)
    {
        var encoding = new Encoding<World>(new World());
        encoding.State.Players.Add(7, new Player { Hp = 1 });
        var replica = new StateReplica<World>(new World());
        replica.Apply(encoding.Snapshot());

        Assert.Equal(StateApplyResult.Applied, replica.Apply([2, 2, 1, .. Bytes(blocks)]));
        Assert.Equal(StateApplyResult.Applied, replica.Apply([2, 3, 1, .. Bytes("01 01 04 37 00")])); // its health is 55

        Assert.Equal((9u, (byte)55), (replica.State.Players.Keys.Single(), replica.State.Players[9].Hp));
    }

    [Fact]
    public void Depth_is_counted_also_when_each_patch_goes_one_deeper()
    {
        var encoding = new Encoding<Everything>(new Everything());
        var replica = new StateReplica<Everything>(new Everything(), new StateLimits { MaxDepth = 5 });
        replica.Apply(encoding.Snapshot());
        Everything at = encoding.State;
        StateApplyResult[] results = [.. Enumerable.Range(2, 5).Select(_ =>
        {
            at = at.Child = new Everything();
            return replica.Apply(encoding.Patch());
        })];

        Assert.All(results[..4], static result => Assert.Equal(StateApplyResult.Applied, result));
        Assert.Equal(StateApplyResult.Malformed, results[4]);
    }

    private static void Check<TState>(byte[] snapshot, Func<TState> create, string valid, string invalid)
        where TState : SyncObject
    {
        foreach ((string blocks, StateApplyResult result) in new[]
            { (valid, StateApplyResult.Applied), (invalid, StateApplyResult.Malformed) })
        {
            var replica = new StateReplica<TState>(create());
            Assert.Equal(StateApplyResult.Applied, replica.Apply(snapshot));
            Assert.Equal(result, replica.Apply([2, 2, 1, .. Bytes(blocks)]));
            Assert.Equal(result == StateApplyResult.Applied ? 2u : 0u, replica.Revision);
        }
    }

    private static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
}
