using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.MicroBenchmarks;

/// <summary>A room that tells when it has done what was posted.</summary>
internal sealed class BenchRoom(RoomContext context) : Room<RoomMember>(context)
{
    private readonly SemaphoreSlim _done = new(0);
    private int _left;

    internal void Join(Session session) => Enter(session);

    /// <summary>Posts so many broadcasts, and waits for the last one's job.</summary>
    internal void Run(byte[] body, int messages)
    {
        _left = messages;
        for (int i = 0; i < messages; i++)
        {
            this.Post(static (BenchRoom room, byte[] b) => room.Say(b), body);
        }

        _done.Wait();
    }

    /// <summary>Posts so many positions, each for all but whose it is, and waits for the last one's job.</summary>
    internal void RunPositions(byte[] body, int messages)
    {
        _left = messages;
        for (int i = 0; i < messages; i++)
        {
            this.Post(static (BenchRoom room, byte[] b) => room.Move(b), body);
        }

        _done.Wait();
    }

    /// <summary>Posts so many jobs that do nothing, and waits for the last one.</summary>
    internal void RunEmpty(int jobs)
    {
        _left = jobs;
        for (int i = 0; i < jobs; i++)
        {
            this.Post(static (BenchRoom room) => room.Finished());
        }

        _done.Wait();
    }

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    private void Say(byte[] body)
    {
        Broadcast(body);
        Finished();
    }

    private void Move(byte[] body)
    {
        int mover = _left % MemberCount;
        Broadcast(body, default, Delivery.LatestOnly(mover), except: Members[mover].Session);
        Finished();
    }

    private void Finished()
    {
        if (--_left == 0)
        {
            _done.Release();
        }
    }
}
