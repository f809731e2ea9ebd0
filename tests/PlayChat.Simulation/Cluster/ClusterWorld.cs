using PlayChat.Core.Rooms;

namespace PlayChat.Simulation.Cluster;

/// <summary>A cluster of servers and their clients, from the start to the end of both; the seed decides everything.</summary>
internal sealed class ClusterWorld : SimulatedWorld
{
    internal static readonly TimeSpan MaxResumeWindow = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    private static readonly int[] s_phaseSeconds = [0, 100, 50, 90, 40, 0];

    private readonly List<ClusterClient> _clients = [];
    private TimeSpan _nextLook;
    private Task? _stop;

    internal ClusterWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
        : base(plan, variant, keepsLines, output)
    {
        Cluster = plan.Cluster ?? throw new ArgumentException("The plan has no cluster.", nameof(plan));
        Pace = plan.Pace < TimeSpan.FromSeconds(0.5) ? TimeSpan.FromSeconds(0.5) : plan.Pace;
        History = new ClusterHistory(this);
        Fleet = new Fleet(this, Cluster, Dice, Ready, machine => new ClusterNode(this, machine))
        {
            Rooms = History,
            Expel = () => OnSomeRoom(static (room, dice) => room.Expel(dice)),
            EndRoom = () => OnSomeRoom(static (room, _) => room.End()),
        };
        Variants.Apply(variant, Clock, network: null, Ready, Dice.Split());
    }

    internal ClusterPlan Cluster { get; }

    internal ClusterHistory History { get; }

    internal Fleet Fleet { get; }

    internal override TimeSpan Pace { get; }

    internal override int Clients => _clients.Count;

    private protected override TimeSpan PhaseTime => TimeSpan.FromSeconds(s_phaseSeconds[Phase]);

    /// <summary>The nodes whose processes live.</summary>
    internal IEnumerable<ClusterNode> LivingNodes => Fleet.Living.Cast<ClusterNode>();

    internal ClusterNode? PickNode(Dice dice) => (ClusterNode?)Fleet.Nodes[dice.Next(Fleet.Nodes.Count)];

    private protected override void Begin()
    {
        Fleet.Start();
        for (int user = 1; user <= Plan.Clients; user++)
        {
            var client = new ClusterClient(this, user, Dice.Split());
            _clients.Add(client);
            client.Start(Dice.Between(0, 3));
        }

        Fleet.Strike();
        Fleet.StepClock();
    }

    private protected override void Step()
    {
        if (Clock.Elapsed >= _nextLook)
        {
            _nextLook = Clock.Elapsed + s_look;
            foreach (ClusterNode node in LivingNodes)
            {
                node.CheckBounds();
            }
        }

        MoveOn();
    }

    private protected override void BeginPhase()
    {
        switch (Phase)
        {
            case 1: // the faults stop
                Fleet.CalmDown();
                _clients.ForEach(static client => client.CalmDown());
                break;
            case 2: // everything has had the time to settle: everybody speaks
                Fleet.CheckUp();
                _clients.ForEach(static client => client.SayEverywhere());
                break;
            case 3:
                CheckConvergence();
                _clients.ForEach(static client => client.EndForGood());
                break;
            case 4: // everything has ended that was left alone
                foreach (ClusterNode node in LivingNodes)
                {
                    node.CheckNothingLeft();
                }

                _stop = Fleet.StopAsync();
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the nodes have not stopped: {_stop.Status} {_stop.Exception}");
                IsOver = true;
                break;
        }
    }

    private void CheckConvergence()
    {
        SharedRoom[] rooms = [.. LivingNodes.SelectMany(static node => node.Rooms)];
        foreach (IGrouping<long, SharedRoom> replicas in rooms.GroupBy(static room => room.Id))
        {
            SharedRoom[] owned = [.. replicas.Select(static room => room.Owned).OfType<SharedRoom>()];
            Judge.Require(owned.Length == 1, "one owner", $"room {replicas.Key} runs on {owned.Length} nodes");
            if (owned is not [var room])
            {
                continue;
            }

            Judge.Require(
                room.Tenure == History.Of(room.Id).Newest,
                "one owner",
                $"room {room.Id} runs as {room.Tenure!.Tag}, which is not the newest");
            int members = room.Tenure!.Members.Count;
            int seats = replicas.Sum(static replica => replica.MemberCount);
            Judge.Require(
                room.MemberCount == members && seats == members,
                "member lists agree",
                $"room {room.Id} has {room.MemberCount} members, its nodes {seats}, and it was told of {members}");
        }

        foreach (ClusterClient client in _clients)
        {
            Judge.Require(client.IsOnline, "liveness", $"{client.Name} is not logged in although the faults have stopped");
            foreach (RoomView view in client.Rooms.Values)
            {
                CheckConvergence(client, view, rooms);
            }
        }
    }

    private void CheckConvergence(ClusterClient client, RoomView view, SharedRoom[] rooms)
    {
        Tenure? tenure = rooms.Where(room => room.Id == view.Id).Select(static room => room.Owned?.Tenure)
            .FirstOrDefault(static own => own is not null);
        string where = $"{client.Name} at {client.Node} in room {view.Id}";
        Judge.Require(
            tenure is not null && view.Tenure == tenure && view.Last == tenure.Count && !view.HasGap && !view.IsReturning,
            "everything arrives",
            $"{where} knows {view.Last} events of {view.Tenure?.Tag}{(view.HasGap ? " with a gap" : "")}"
                + $"{(view.IsReturning ? " and returns" : "")}; the room has {tenure?.Count} of {tenure?.Tag}");
        Judge.Require(
            tenure is not null && tenure.Members.ContainsKey(view.Number),
            "member lists agree",
            $"{where} is member {view.Number}, of which the room knows nothing");
        Judge.Require(
            tenure is null || view.Members.SetEquals(tenure.Members.Keys),
            "member lists agree",
            $"{where} has the members {Join(view.Members)}, the room {Join(tenure?.Members.Keys.AsEnumerable() ?? [])}");
        Judge.Require(
            client.UnansweredIn(view.Id) == 0, "liveness", $"{where} has no answer to message {client.UnansweredIn(view.Id)}");
    }

    private static string Join(IEnumerable<int> numbers) => string.Join(' ', numbers.Order());

    private void OnSomeRoom(Action<SharedRoom, Dice> action)
    {
        SharedRoom[] rooms = [.. LivingNodes.SelectMany(static node => node.Rooms).Select(static room => room.Owned).OfType<SharedRoom>()];
        if (rooms.Length > 0)
        {
            SharedRoom room = rooms[Dice.Next(rooms.Length)];
            Dice dice = Dice.Split();
            room.Post((SharedRoom owned) => action(owned, dice));
        }
    }
}
