using System.Net;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Configuration;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Accounts;

/// <summary>Five failures a name, fifty an address, in five minutes: a share is a minute, and six seconds.</summary>
public sealed class LoginThrottleTests
{
    private static readonly TimeSpan s_share = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly AccountSettings _accounts = new()
    {
        FailedLoginsPerName = 5,
        FailedLoginsPerAddress = 50,
        FailedLoginWindow = TimeSpan.FromMinutes(5),
        FailedLoginEntries = 1000,
    };

    private readonly LoginThrottle _throttle;

    public LoginThrottleTests()
    {
        _throttle = new LoginThrottle(new ServerSettings { Accounts = _accounts }, _time);
    }

    [Fact]
    public void After_some_failures_with_a_name_an_address_waits_for_each_further_one()
    {
        LoginOrigin origin = Origin("kim", 1);

        Fail(origin, 4);
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(origin));
        Fail(origin, 1);
        Assert.Equal(s_share, _throttle.GetWait(origin));

        _time.Advance(s_share - TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(1), _throttle.GetWait(origin));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(origin));
        Fail(origin, 1);
        Assert.Equal(s_share, _throttle.GetWait(origin));
    }

    [Fact]
    public void A_wait_is_never_longer_than_one_share_and_all_is_forgotten_after_the_window()
    {
        LoginOrigin origin = Origin("kim", 1);

        Fail(origin, 1000);
        Assert.Equal(s_share, _throttle.GetWait(origin));

        _time.Advance(TimeSpan.FromMinutes(5));
        Fail(origin, 4);
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(origin));
    }

    [Fact]
    public void A_limit_that_changes_holds_for_the_next_login_and_no_wait_is_longer_than_its_share()
    {
        LoginOrigin origin = Origin("kim", 1);
        Fail(origin, 4);

        _accounts.FailedLoginsPerName = 2;
        Assert.Equal(TimeSpan.FromMinutes(1.5), _throttle.GetWait(origin)); // four minutes of debt, of which half of five may be left

        _accounts.FailedLoginWindow = TimeSpan.FromSeconds(10);
        Assert.Equal(TimeSpan.FromSeconds(5), _throttle.GetWait(origin));
    }

    [Fact]
    public void A_window_that_is_shortened_shortens_the_waits_from_before()
    {
        LoginOrigin origin = Origin("kim", 1);
        Fail(origin, 100); // five minutes of debt

        _accounts.FailedLoginWindow = TimeSpan.FromSeconds(10);
        Assert.Equal(TimeSpan.FromSeconds(2), _throttle.GetWait(origin));
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(origin));

        _time.Advance(TimeSpan.FromSeconds(8));
        Assert.Equal(LoginStanding.New, _throttle.GetStanding(origin));
    }

    [Fact]
    public void A_right_password_clears_the_name_at_that_address()
    {
        LoginOrigin origin = Origin("kim", 1);
        Fail(origin, 4);

        _throttle.OnSucceeded(origin);
        Fail(origin, 4);

        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(origin));
    }

    [Fact]
    public void An_address_waits_for_its_failures_with_all_names_and_an_own_account_does_not_clear_them()
    {
        for (int i = 0; i < 50; i++)
        {
            Fail(Origin($"player {i}", 1), 1);
            _throttle.OnSucceeded(Origin("mallory", 1));
        }

        Assert.Equal(TimeSpan.FromSeconds(6), _throttle.GetWait(Origin("somebody else", 1)));
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(Origin("somebody else", 2)));
    }

    [Fact]
    public void One_address_alone_never_locks_a_name_for_others()
    {
        LoginOrigin attacker = Origin("kim", 1);

        for (int second = 0; second < 3600; second++)
        {
            if (_throttle.GetWait(attacker) == TimeSpan.Zero)
            {
                Fail(attacker, 1);
            }

            Assert.Equal(TimeSpan.Zero, _throttle.GetWait(Origin("kim", 2)));
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }

    [Fact]
    public void Many_addresses_are_slowed_by_the_name_but_not_one_from_which_it_has_logged_in()
    {
        LoginOrigin home = Origin("kim", 1);
        _throttle.OnSucceeded(home);
        _time.Advance(TimeSpan.FromDays(1));

        for (int address = 2; address < 22; address++)
        {
            Fail(Origin("kim", address), 1);
        }

        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(home));
        Assert.Equal(TimeSpan.FromSeconds(15), _throttle.GetWait(Origin("kim", 30)));
        Assert.Equal(TimeSpan.Zero, _throttle.GetWait(Origin("lee", 30)));

        // Its own failures count there, too.
        Fail(home, 5);
        Assert.Equal(s_share, _throttle.GetWait(home));
    }

    [Theory]
    [InlineData("::ffff:10.0.0.1", "10.0.0.1", true)]
    [InlineData("2001:db8::1", "2001:db8::ffff:2", true)]
    [InlineData("2001:db8::1", "2001:db8:0:1::1", false)]
    [InlineData("10.0.0.1", "10.0.0.2", false)]
    public void Addresses_that_one_machine_can_choose_among_count_as_one(string one, string other, bool same)
    {
        Assert.Equal(same, Of(one) == Of(other));

        static LoginOrigin Of(string address) => LoginOrigin.Of("kim", new IPEndPoint(IPAddress.Parse(address), 1));
    }

    private static LoginOrigin Origin(string name, int address) =>
        LoginOrigin.Of(name, new IPEndPoint(new IPAddress([10, 0, 0, (byte)address]), 1));

    private void Fail(LoginOrigin origin, int times)
    {
        for (int i = 0; i < times; i++)
        {
            _throttle.OnFailed(origin);
        }
    }
}
