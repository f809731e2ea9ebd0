using System.Net;
using PlayChat.Chat.Accounts;

namespace PlayChat.Server.Tests.Accounts;

public sealed class LoginQueueTests
{
    private const int Max = 30;

    private readonly LoginQueue _queue = new(static () => Max, concurrency: 1);
    private readonly List<LoginPlace> _entered = [];

    [Fact]
    public void Networks_take_turns_however_many_logins_each_has()
    {
        LoginPlace running = Enter(1);
        LoginPlace[] greedy = [Enter(2), Enter(2), Enter(2)];
        LoginPlace[] modest = [Enter(3), Enter(4)];

        Assert.Equal([greedy[0], modest[0], modest[1], greedy[1], greedy[2]], ServeAll(running));
    }

    [Fact]
    public void Players_known_at_their_network_go_first_and_networks_with_failures_last()
    {
        LoginPlace running = Enter(1);
        LoginPlace suspect = Enter(2, LoginStanding.Suspect);
        LoginPlace unknown = Enter(3);
        LoginPlace familiar = Enter(4, LoginStanding.Familiar);

        Assert.Equal([familiar, unknown, suspect], ServeAll(running));
    }

    [Fact]
    public void No_lane_waits_without_end()
    {
        LoginPlace running = Enter(1);
        LoginPlace suspect = Enter(2, LoginStanding.Suspect);
        LoginPlace unknown = Enter(3);
        for (int i = 0; i < 20; i++)
        {
            Enter(10 + i, LoginStanding.Familiar);
        }

        List<LoginPlace> served = ServeAll(running);

        // Of all turns the fourth and the sixteenth; the first was that of the running one.
        Assert.Equal((2, 14), (served.IndexOf(unknown), served.IndexOf(suspect)));
    }

    [Fact]
    public void One_name_of_a_network_has_four_places_and_others_still_find_theirs()
    {
        for (int i = 0; i < LoginQueue.MaxAlike; i++)
        {
            Enter(1, name: "kim");
        }

        Assert.Null(_queue.TryEnter(Origin(1, "kim"), LoginStanding.Familiar));
        Enter(1, name: "lee");
        Enter(2, name: "kim");
        Assert.Equal(6, _queue.Pending);
    }

    [Fact]
    public void One_name_has_eight_places_where_it_is_known_and_the_next_when_one_is_given_back()
    {
        for (int network = 1; network <= LoginQueue.MaxFamiliar; network++)
        {
            Enter(network, LoginStanding.Familiar, "kim");
        }

        Assert.Null(_queue.TryEnter(Origin(100, "kim"), LoginStanding.Familiar));
        Enter(100, LoginStanding.Familiar, "lee");
        Enter(101, name: "kim"); // a stranger, or its owner at a new address
        _entered[0].Dispose();
        Enter(100, LoginStanding.Familiar, "kim");
    }

    [Fact]
    public void A_full_queue_gives_a_place_of_the_worst_to_one_that_stands_better()
    {
        Fill(LoginStanding.New, LoginStanding.Suspect);

        LoginPlace familiar = Enter(100, LoginStanding.Familiar);
        LoginPlace suspect = Assert.Single(_entered, static place => place.HasTurn == false);

        Assert.Null(familiar.HasTurn);
        Assert.Equal(LoginStanding.Suspect, suspect.Standing);
        Assert.Equal(Max, _queue.Pending);
        suspect.Dispose(); // changes nothing: its place was given away
        Assert.Equal(Max, _queue.Pending);
        Assert.Null(_queue.TryEnter(Origin(101), LoginStanding.Suspect));
    }

    [Fact]
    public void A_full_lane_gives_a_place_of_the_network_that_has_most()
    {
        Enter(1);
        for (int i = 1; i < Max; i++)
        {
            Enter(2, name: $"{i}");
        }

        LoginPlace modest = Enter(3);

        Assert.False(_entered[Max - 1].HasTurn);
        Assert.Null(_queue.TryEnter(Origin(2, "another"), LoginStanding.New));
        Assert.Equal([_entered[1], modest], ServeAll(_entered[0]).Take(2));
    }

    [Fact]
    public void A_login_whose_peer_has_gone_leaves_its_place()
    {
        LoginPlace running = Enter(1);
        LoginPlace gone = Enter(2);
        LoginPlace next = Enter(3);

        gone.Dispose();

        Assert.Equal([next], ServeAll(running));
        Assert.Equal(0, _queue.Pending);
    }

    private static LoginOrigin Origin(int network, string name = "kim") => new(name, new IPAddress([10, 0, 0, (byte)network]));

    private static bool HasTurn(LoginPlace place) => place.HasTurn == true;

    private LoginPlace Enter(int network, LoginStanding standing = LoginStanding.New, string? name = null)
    {
        LoginPlace? place = _queue.TryEnter(Origin(network, name ?? $"player {_entered.Count}"), standing);
        Assert.NotNull(place);
        _entered.Add(place);
        return place;
    }

    private void Fill(params LoginStanding[] standings)
    {
        for (int i = 0; i < Max; i++)
        {
            Enter(i, standings[i % standings.Length]);
        }
    }

    /// <summary>Ends the running one, then the next that has its turn, until none waits.</summary>
    private List<LoginPlace> ServeAll(LoginPlace running)
    {
        List<LoginPlace> served = [];
        for (LoginPlace? current = running; current is not null;)
        {
            current.Dispose();
            current = _entered.Find(place => HasTurn(place) && place != running && !served.Contains(place));
            if (current is not null)
            {
                served.Add(current);
            }
        }

        return served;
    }
}
