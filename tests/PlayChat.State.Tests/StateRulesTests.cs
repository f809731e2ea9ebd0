namespace PlayChat.State.Tests;

/// <summary>What a server may not do with a state.</summary>
public sealed class StateRulesTests
{
    [Fact]
    public void An_object_has_one_place()
    {
        var encoding = new Encoding<World>(new World());
        var player = new Player();
        encoding.State.Players.Add(1, player);

        Assert.Throws<InvalidOperationException>(() => encoding.State.Players.Add(2, player));
        encoding.State.Players.Remove(1);
        encoding.State.Players.Add(2, player);

        Assert.Equal([2u], encoding.State.Players.Keys);
    }

    [Fact]
    public void An_object_cannot_contain_itself()
    {
        var value = new Everything { Child = new Everything() };

        Assert.Throws<InvalidOperationException>(() => value.Child.Child = value);
    }

    [Fact]
    public void A_state_beyond_a_limit_is_refused_and_unchanged()
    {
        var encoding = new Encoding<Everything>(new Everything(), new StateLimits { MaxObjects = 3, MaxDepth = 2, MaxTextBytes = 10 });

        encoding.State.Child = new Everything();
        Assert.Throws<InvalidOperationException>(() => encoding.State.Child.Child = new Everything());
        encoding.State.Team.Add(new Player());
        Assert.Throws<InvalidOperationException>(() => encoding.State.Team.Add(new Player()));
        Assert.Throws<ArgumentException>(() => encoding.State.Text = "eleven bytes");

        Assert.Null(encoding.State.Child.Child);
        Assert.Single(encoding.State.Team);
        Assert.Empty(encoding.State.Text);
    }

    [Fact]
    public void Numbers_of_removed_objects_are_used_again()
    {
        var encoding = new Encoding<World>(new World(), new StateLimits { MaxObjects = 5 });
        for (uint i = 0; i < 100; i++)
        {
            encoding.State.Players.Add(i, new Player());
            encoding.State.Players.Remove(i - 2);
            encoding.Patch();
        }

        Assert.Equal(2, encoding.State.Players.Count);
    }

    [Theory]
    [InlineData(nameof(StateLimits.MaxDepth), 0)]
    [InlineData(nameof(StateLimits.MaxObjects), 0)]
    [InlineData(nameof(StateLimits.MaxMessageBytes), 63)]
    [InlineData(nameof(StateLimits.MaxTextBytes), -1)]
    public void A_limit_out_of_range_is_refused(string limit, int value)
    {
        var limits = new StateLimits();
        typeof(StateLimits).GetProperty(limit)!.SetValue(limits, value);

        ArgumentOutOfRangeException e =
            Assert.Throws<ArgumentOutOfRangeException>(() => new StateReplica<World>(new World(), limits));
        Assert.Equal(limit, e.ParamName);
    }
}
