namespace PlayChat.State.Tests;

/// <summary>What a server sends never makes a client throw or take memory without bound.</summary>
public sealed class HostileTests
{
    private static readonly StateLimits s_limits = new()
    {
        MaxMessageBytes = 4096,
        MaxObjects = 200,
        MaxItems = 400,
        MaxTextBytes = 64,
        MaxTotalText = 2000,
        MaxDepth = 5,
    };

    [Theory]
    [InlineData(1, 4_000)]
    [InlineData(2, 4_000)]
    [InlineData(3, 4_000)]
    public void Altered_messages_are_refused_or_applied(int seed, int rounds) => Fuzz(seed, rounds);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(4, 300_000)]
    [InlineData(5, 300_000)]
    public void A_great_many_altered_messages_are_refused_or_applied(int seed, int rounds) => Fuzz(seed, rounds);

    [Fact]
    public void A_message_that_is_cut_anywhere_is_malformed()
    {
        byte[][] messages = Record(seed: 1, patches: 3);
        for (int bytes = 0; bytes < messages[0].Length; bytes++)
        {
            Assert.Equal(StateApplyResult.Malformed, new StateReplica<Everything>(new Everything()).Apply(messages[0].AsSpan(0, bytes)));
        }

        for (int bytes = 0; bytes < messages[1].Length; bytes++)
        {
            var replica = new StateReplica<Everything>(new Everything());
            replica.Apply(messages[0]);
            Assert.NotEqual(StateApplyResult.Applied, replica.Apply(messages[1].AsSpan(0, bytes)));
        }
    }

    [Fact]
    public void Small_patches_cannot_add_up_to_more_than_the_limits()
    {
        var encoding = new Encoding<Everything>(new Everything());
        var replica = new StateReplica<Everything>(new Everything(), s_limits);
        replica.Apply(encoding.Snapshot());
        StateApplyResult result = StateApplyResult.Applied;
        int patches = 0;
        for (; result == StateApplyResult.Applied && patches < 2_000; patches++)
        {
            encoding.State.Nested.Add($"{patches}", new Everything());
            result = replica.Apply(encoding.Patch());
        }

        Assert.Equal(StateApplyResult.Malformed, result);
        Assert.InRange(patches, 100, 500);
    }

    [Fact]
    public void Objects_that_lie_too_deep_are_malformed()
    {
        var encoding = new Encoding<Everything>(new Everything());
        Everything at = encoding.State;
        for (int depth = 1; depth < 7; depth++)
        {
            at = at.Child = new Everything();
        }

        var replica = new StateReplica<Everything>(new Everything(), s_limits);

        Assert.Equal(StateApplyResult.Malformed, replica.Apply(encoding.Snapshot()));
        Assert.False(replica.HasState);
    }

    [Fact]
    public void After_a_malformed_message_patches_are_ignored_until_a_snapshot()
    {
        var encoding = new Encoding<World>(new World());
        var replica = new StateReplica<World>(new World());
        replica.Apply(encoding.Snapshot());
        encoding.State.Tick = 1;
        byte[] patch = encoding.Patch();

        Assert.Equal(StateApplyResult.Malformed, replica.Apply([9]));
        Assert.Equal(StateApplyResult.Ignored, replica.Apply(patch));
        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Snapshot()));
        Assert.Equal(1u, replica.State.Tick);
    }

    [Fact]
    public void A_patch_that_does_not_fit_is_ignored()
    {
        var encoding = new Encoding<World>(new World());
        var replica = new StateReplica<World>(new World());
        byte[] snapshot = encoding.Snapshot();
        encoding.State.Tick = 1;
        byte[] first = encoding.Patch();
        encoding.State.Tick = 2;
        byte[] second = encoding.Patch();

        Assert.Equal(StateApplyResult.Ignored, replica.Apply(first)); // no snapshot yet
        replica.Apply(snapshot);
        Assert.Equal(StateApplyResult.Ignored, replica.Apply(second)); // one is missing
        Assert.Equal(0u, replica.State.Tick);
        replica.Apply(first);
        Assert.Equal(StateApplyResult.Ignored, replica.Apply(first)); // it has that
        Assert.Equal(StateApplyResult.Applied, replica.Apply(second));
        Assert.Equal(2u, replica.State.Tick);
    }

    private static byte[][] Record(int seed, int patches)
    {
        var changes = new RandomChanges(seed);
        var encoding = new Encoding<Everything>(new Everything());
        changes.Make(encoding.State, 20);
        List<byte[]> messages = [encoding.Snapshot()];
        while (messages.Count <= patches)
        {
            changes.Make(encoding.State, 6);
            byte[] patch = encoding.Patch();
            if (patch.Length > 0)
            {
                messages.Add(patch);
            }
        }

        return [.. messages];
    }

    private static void Fuzz(int seed, int rounds)
    {
        var random = new Random(seed);
        byte[][] messages = Record(seed, patches: 20);
        var replica = new StateReplica<Everything>(new Everything(), s_limits);
        int applied = 0;
        for (int round = 0; round < rounds; round++)
        {
            byte[] message = [.. messages[replica.HasState ? random.Next(messages.Length) : 0]];
            for (int changes = random.Next(4); changes > 0; changes--)
            {
                message = Alter(message, random);
            }

            applied += replica.Apply(message) == StateApplyResult.Applied ? 1 : 0;
            _ = StateJson.Of(replica.State); // it can be walked
        }

        Assert.InRange(applied, 1, rounds - 1);
    }

    private static byte[] Alter(byte[] message, Random random)
    {
        int at = random.Next(message.Length);
        switch (random.Next(5))
        {
            case 0:
                message[at] ^= (byte)(1 << random.Next(8));
                return message;
            case 1:
                message[at] = (byte)random.Next(256);
                return message;
            case 2:
                return message.Length > 1 ? [.. message[..at], .. message[(at + 1)..]] : message;
            case 3:
                return [.. message[..at], (byte)random.Next(256), .. message[at..]];
            default:
                int from = random.Next(message.Length);
                return [.. message[..at], .. message.AsSpan(from, Math.Min(20, message.Length - from)), .. message[at..]];
        }
    }
}
