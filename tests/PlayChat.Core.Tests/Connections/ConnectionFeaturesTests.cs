using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionFeaturesTests
{
    private ConnectionFeatures _features;

    [Fact]
    public void Each_type_has_a_place_of_its_own()
    {
        var list = new List<int>();
        Assert.Null(_features.Get<string>());

        _features.Set("text");
        _features.Set(list);
        _features.Set<object>("another");

        Assert.Equal("text", _features.Get<string>());
        Assert.Same(list, _features.Get<List<int>>());
        Assert.Equal("another", _features.Get<object>());
        Assert.Null(_features.Get<Version>());
    }

    [Fact]
    public void A_new_object_takes_the_place_of_the_old_one_and_null_removes_it()
    {
        _features.Set("old");
        _features.Set("new");
        Assert.Equal("new", _features.Get<string>());

        _features.Set<string>(null);
        Assert.Null(_features.Get<string>());
    }
}
