using PlayChat.Chat.Accounts;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Accounts;

public sealed class ExpiringTableTests
{
    private static readonly TimeSpan s_max = TimeSpan.FromMinutes(10);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void A_key_is_remembered_for_the_sum_of_what_was_added_up_to_the_maximum()
    {
        var table = new ExpiringTable<string>(capacity: 10, _time);

        table.Extend("kim", TimeSpan.FromMinutes(4), s_max);
        _time.Advance(TimeSpan.FromMinutes(1));
        table.Extend("kim", TimeSpan.FromMinutes(4), s_max);
        Assert.Equal(TimeSpan.FromMinutes(7), table.Remaining("kim"));
        table.Extend("kim", TimeSpan.FromMinutes(4), s_max);
        Assert.Equal(s_max, table.Remaining("kim"));

        _time.Advance(s_max);
        Assert.Equal(TimeSpan.Zero, table.Remaining("kim"));
        Assert.Equal(TimeSpan.Zero, table.Remaining("lee"));
    }

    [Fact]
    public void A_full_table_forgets_what_has_expired_and_what_would_expire_next()
    {
        var table = new ExpiringTable<int>(capacity: 4, _time);
        table.Extend(0, TimeSpan.FromSeconds(1), s_max);
        _time.Advance(TimeSpan.FromSeconds(2));
        for (int i = 1; i <= 3; i++)
        {
            table.Extend(i, TimeSpan.FromMinutes(i), s_max);
        }

        table.Extend(4, TimeSpan.FromMinutes(4), s_max);

        Assert.Equal([0, 0, 2, 3, 4], Enumerable.Range(0, 5).Select(i => (int)table.Remaining(i).TotalMinutes));
    }

    [Fact]
    public void However_many_keys_come_no_more_are_remembered_than_it_holds_and_the_longest_stays()
    {
        var table = new ExpiringTable<int>(capacity: 100, _time);
        table.Extend(-1, s_max, s_max);

        for (int i = 0; i < 10_000; i++)
        {
            table.Extend(i, TimeSpan.FromSeconds(1), s_max);
        }

        Assert.InRange(Enumerable.Range(-1, 10_001).Count(i => table.Remaining(i) > TimeSpan.Zero), 50, 100);
        Assert.Equal(s_max, table.Remaining(-1));
    }
}
