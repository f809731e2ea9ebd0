using PlayChat.TestUtilities;

namespace PlayChat.State.Tests;

/// <summary>Whatever a room does to its state, a client that applies the messages has the same.</summary>
public sealed class RoundTripTests
{
    [Theory]
    [MemberData(nameof(Seeds))]
    public void A_client_that_gets_every_patch_has_the_state_after_each(int seed)
    {
        var changes = new RandomChanges(seed);
        var encoding = new Encoding<Everything>(new Everything());
        var replica = new StateReplica<Everything>(new Everything());
        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Snapshot()));

        for (int revision = 0; revision < 60; revision++)
        {
            changes.Make(encoding.State, revision % 10);
            byte[] patch = encoding.Patch();
            if (patch.Length > 0)
            {
                Assert.Equal(StateApplyResult.Applied, replica.Apply(patch));
            }

            Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(replica.State));
        }
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void A_client_that_was_behind_has_the_state_after_one_patch_or_a_snapshot(int seed)
    {
        var changes = new RandomChanges(seed);
        var random = new Random(seed);
        var encoding = new Encoding<Everything>(new Everything());
        var behind = new StateReplica<Everything>(new Everything());
        var rejoining = new StateReplica<Everything>(new Everything());
        behind.Apply(encoding.Snapshot());

        for (int round = 0; round < 20; round++)
        {
            for (int missed = random.Next(1, 40); missed > 0; missed--)
            {
                changes.Make(encoding.State, random.Next(6));
                encoding.Patch();
            }

            byte[] patch = encoding.Encoder.WritePatchSince(behind.Revision).ToArray();
            if (behind.Revision < encoding.Revision)
            {
                Assert.Equal(StateApplyResult.Applied, behind.Apply(patch.Length > 0 ? patch : encoding.Snapshot()));
            }

            Assert.Equal(StateApplyResult.Applied, rejoining.Apply(encoding.Snapshot()));
            Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(behind.State));
            Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(rejoining.State));
        }
    }

    [Fact]
    public void A_patch_over_several_revisions_fits_a_client_that_has_some_of_them()
    {
        var changes = new RandomChanges(5);
        var encoding = new Encoding<Everything>(new Everything());
        StateReplica<Everything>[] replicas =
            [.. Enumerable.Range(0, 10).Select(static _ => new StateReplica<Everything>(new Everything()))];
        byte[] snapshot = encoding.Snapshot();
        Array.ForEach(replicas, replica => replica.Apply(snapshot));
        uint first = encoding.Revision;

        for (int i = 1; i < replicas.Length; i++)
        {
            changes.Make(encoding.State, 5);
            byte[] patch = encoding.Patch();
            Array.ForEach(replicas[i..], replica => replica.Apply(patch));
        }

        changes.Make(encoding.State, 5);
        encoding.Patch();
        byte[] merged = encoding.Encoder.WritePatchSince(first).ToArray();

        Assert.All(replicas, replica =>
        {
            Assert.Equal(StateApplyResult.Applied, replica.Apply(merged));
            Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(replica.State));
        });
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void A_server_that_continues_a_state_has_it_with_all_digits(int seed)
    {
        var changes = new RandomChanges(seed);
        var encoding = new Encoding<Everything>(new Everything { Fixed = 1.23456789, Range = 0.123f });
        changes.Make(encoding.State, 50);
        encoding.State.Places[-1] = 1.23456789;

        var other = new Encoding<Everything>(new Everything());
        StateApplyResult result =
            new StateDecoder(other.State, new StateLimits()).Apply(encoding.Encoder.WriteExact());
        var replica = new StateReplica<Everything>(new Everything());
        replica.Apply(other.Snapshot());

        Assert.Equal(StateApplyResult.Applied, result);
        Assert.Equal(encoding.State.Fixed, other.State.Fixed);
        Assert.Equal(encoding.State.Range, other.State.Range);
        Assert.Equal(encoding.State.Places[-1], other.State.Places[-1]);
        Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(other.State));
        Assert.Equal(StateJson.Of(encoding.State), StateJson.Of(replica.State));
    }

    [Fact]
    public void A_change_that_clients_would_not_see_is_not_sent()
    {
        var encoding = new Encoding<World>(new World());
        var player = new Player { X = 1 };
        encoding.State.Players.Add(1, player);
        encoding.Snapshot();

        player.X = 1.001f;

        Assert.Empty(encoding.Patch());
        player.X = 1.01f;
        Assert.NotEmpty(encoding.Patch());
    }

    [Fact]
    public void Many_small_steps_of_a_quantized_field_do_not_add_up_to_an_error()
    {
        var encoding = new Encoding<World>(new World());
        var player = new Player();
        encoding.State.Players.Add(1, player);
        var replica = new StateReplica<World>(new World());
        replica.Apply(encoding.Snapshot());

        for (int i = 0; i < 1000; i++)
        {
            player.X += 0.0037f;
            byte[] patch = encoding.Patch();
            if (patch.Length > 0)
            {
                replica.Apply(patch);
            }
        }

        Assert.Equal(Math.Round(player.X, 2), replica.State.Players[1].X, 1e-4);
    }

    [Fact]
    public void A_steady_room_allocates_nothing_for_a_patch()
    {
        var encoding = new Encoding<World>(new World());
        var players = new Player[100];
        for (uint i = 0; i < players.Length; i++)
        {
            encoding.State.Players.Add(i, players[i] = new Player { Name = "p" });
        }

        encoding.Snapshot();
        Tick(20);

        Assert.Equal(0, AllocatedBytes.Least(() => Tick(100)));

        void Tick(int times)
        {
            for (int i = 0; i < times; i++)
            {
                encoding.State.Tick++;
                foreach (Player player in players)
                {
                    player.X += 1.5f;
                    player.Hp++;
                }

                Assert.True(encoding.Tracker.Begin());
                Assert.False(encoding.Encoder.WritePatch().IsEmpty);
                encoding.Tracker.End();
            }
        }
    }

    public static TheoryData<int> Seeds() => [.. Enumerable.Range(1, 25)];
}
