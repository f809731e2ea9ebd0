using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomProfile"/> without a room around it.</summary>
public sealed class RoomProfileTests
{
    [Fact]
    public void A_description_that_was_read_does_not_change()
    {
        var profile = new RoomProfile(7, capacity: 3, spectators: 0, new RoomSettings
        {
            Name = "lobby",
            OwnerId = 1,
            Properties = new Dictionary<string, string>(StringComparer.Ordinal) { ["map"] = "desert" },
        });

        RoomDescription before = profile.Describe(2, spectators: 0);
        profile.SetLocked(true);
        profile.SetPrivate(true);
        profile.SetOwner(null);
        profile.SetProperty("map", null);
        profile.SetProperty("mode", "duel");
        RoomDescription after = profile.Describe(3, spectators: 0);

        Assert.Equal((7, "lobby", 2, 3), (before.Id, before.Name, before.MemberCount, before.Capacity));
        Assert.Equal((false, false, 1L), (before.IsLocked, before.IsPrivate, before.OwnerId));
        Assert.Equal([new("map", "desert")], before.Properties);
        Assert.Equal((true, true, null), (after.IsLocked, after.IsPrivate, after.OwnerId));
        Assert.Equal([new("mode", "duel")], after.Properties);
        Assert.True(profile.IsLocked && profile.IsPrivate);
    }

    [Fact]
    public void Only_the_password_opens_a_room_that_has_one()
    {
        var profile = new RoomProfile(1, capacity: 3, spectators: 0, new RoomSettings { Name = "lobby", Password = "secret" });

        Assert.True(profile.Describe(0, spectators: 0).HasPassword);
        Assert.True(profile.Opens("secret"));
        Assert.False(profile.Opens("Secret"));
        Assert.False(profile.Opens(null));

        profile.SetPassword("");
        Assert.False(profile.Describe(0, spectators: 0).HasPassword);
        Assert.True(profile.Opens(null));
        Assert.True(profile.Opens("anything"));
    }
}
