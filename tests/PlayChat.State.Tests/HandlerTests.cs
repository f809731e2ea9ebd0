namespace PlayChat.State.Tests;

/// <summary>What a client is told of changes, and clients with other classes than the server's.</summary>
public sealed class HandlerTests
{
    [Fact]
    public void Handlers_are_called_after_the_whole_state_was_updated()
    {
        var encoding = new Encoding<World>(new World());
        encoding.State.Players.Add(1, new Player { Name = "Ann" });
        var replica = new StateReplica<World>(new World());
        var seen = new List<string>();
        replica.State.Players.Added += (key, player) =>
        {
            seen.Add($"+{key} at {replica.State.Tick}");
            player.Changed += (_, change) => seen.Add($"{key}: {change.Has(nameof(Player.X))} {change.Has(nameof(Player.Hp))}");
        };
        replica.State.Players.Removed += (key, player) => seen.Add($"-{key} {player.Name}");
        replica.Applied += _ => seen.Add("applied");
        replica.Apply(encoding.Snapshot());

        encoding.State.Players[1].X = 3;
        encoding.State.Players.Add(2, new Player { Name = "Bob" });
        encoding.State.Tick = 5;
        replica.Apply(encoding.Patch());
        encoding.State.Players.Remove(1);
        replica.Apply(encoding.Patch());

        Assert.Equal(["+1 at 0", "applied", "+2 at 5", "1: True False", "applied", "-1 Ann", "applied"], seen);
    }

    [Fact]
    public void Lists_and_maps_of_numbers_tell_what_has_changed()
    {
        var encoding = new Encoding<Everything>(new Everything());
        encoding.State.Numbers.Add(1);
        encoding.State.Numbers.Add(2);
        encoding.State.Counts[Mood.Calm] = 1;
        var replica = new StateReplica<Everything>(new Everything());
        replica.Apply(encoding.Snapshot());
        var seen = new List<string>();
        replica.State.Numbers.Added += (index, item) => seen.Add($"+[{index}] {item}");
        replica.State.Numbers.Removed += (index, item) => seen.Add($"-[{index}] {item}");
        replica.State.Counts.Added += (key, value) => seen.Add($"+{key} {value}");
        replica.State.Counts.Changed += (key, value) => seen.Add($"{key} {value}");
        replica.State.Counts.Removed += (key, value) => seen.Add($"-{key} {value}");

        encoding.State.Numbers[1] = 3;
        encoding.State.Counts[Mood.Calm] = 2;
        encoding.State.Counts[Mood.Angry] = 4;
        replica.Apply(encoding.Patch());
        encoding.State.Numbers.Insert(0, 9);
        encoding.State.Counts.Remove(Mood.Calm);
        replica.Apply(encoding.Patch());

        Assert.Equal(["-[1] 2", "+[1] 3", "Calm 2", "+Angry 4", "+[0] 9", "-Calm 2"], seen);
    }

    [Fact]
    public void An_object_that_stays_in_a_list_stays_the_same_object()
    {
        var encoding = new Encoding<Everything>(new Everything());
        Player[] players = [new Player { Name = "a" }, new Player { Name = "b" }, new Player { Name = "c" }];
        Array.ForEach(players, encoding.State.Team.Add);
        var replica = new StateReplica<Everything>(new Everything());
        replica.Apply(encoding.Snapshot());
        Player[] before = [.. replica.State.Team];

        encoding.State.Team.RemoveAt(0);
        encoding.State.Team.Insert(1, new Player { Name = "d" });
        players[2].X = 4;
        replica.Apply(encoding.Patch());
        replica.Apply(encoding.Snapshot());

        Assert.Equal("b d c", string.Join(' ', replica.State.Team.Select(static player => player.Name)));
        Assert.Same(before[1], replica.State.Team[0]);
        Assert.Same(before[2], replica.State.Team[2]);
        Assert.Equal(4, replica.State.Team[2].X);
    }

    [Fact]
    public void A_client_with_an_older_class_reads_the_fields_that_both_know()
    {
        var encoding = new Encoding<NewWorld>(new NewWorld());
        var replica = new StateReplica<OldWorld>(new OldWorld());
        encoding.State.Units.Add("u", new NewUnit { X = 1.5, Name = "unit" });
        encoding.State.Extras.Add(1, new NewUnit { Name = "extra" });
        encoding.State.Extra = new NewUnit { X = 9 };
        encoding.State.Tags.Add("tag");
        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Snapshot()));

        encoding.State.Units["u"].X = 2.25;
        encoding.State.Units["u"].Armour = 3;
        encoding.State.Extras[1].X = 5;
        encoding.State.Extra.Name = "changed";
        encoding.State.Extras.Add(2, new NewUnit());
        encoding.State.Tags.Insert(0, "other");
        encoding.State.Tick = 7;
        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Patch()));
        encoding.State.Extras.Remove(1);
        encoding.State.Extra = null;
        encoding.State.Units.Add("v", new NewUnit { X = -1 });
        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Patch()));

        Assert.Equal(7, replica.State.Tick);
        Assert.Equal(2.25f, replica.State.Units["u"].X);
        Assert.Equal(-1, replica.State.Units["v"].X);
        Assert.Equal("here alone", replica.State.Own);
    }

    [Fact]
    public void A_client_with_a_newer_class_keeps_the_defaults_of_fields_that_the_server_lacks()
    {
        var encoding = new Encoding<OldWorld>(new OldWorld { Tick = 3 });
        encoding.State.Units.Add("u", new OldUnit { X = 1.25f });
        var replica = new StateReplica<NewWorld>(new NewWorld());

        Assert.Equal(StateApplyResult.Applied, replica.Apply(encoding.Snapshot()));

        Assert.Equal(3u, replica.State.Tick);
        Assert.Equal(1.25, replica.State.Units["u"].X);
        Assert.Equal(0, replica.State.Units["u"].Armour);
        Assert.Empty(replica.State.Extras);
    }
}
