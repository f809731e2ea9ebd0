using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.Membership;

/// <summary>What a node does in its cluster. <see cref="NodeMembership"/> tells it of the node's lives, of which one follows the other.
/// </summary>
/// <remarks>Members must not throw, except where they say so.</remarks>
public interface INodeService
{
    /// <summary>Makes the log of a life that the directory has begun. The membership disposes it.</summary>
    /// <param name="origin">The node and its life.</param>
    IRoomBackplane CreateBackplane(RecordOrigin origin);

    /// <summary>Begins to read the logs (<see cref="NodeLife.SubscribeAsync"/>), and whatever else has to be done before the node has a
    /// place in the cluster. The membership renews the lease meanwhile.</summary>
    /// <param name="life">The life.</param>
    /// <param name="cancellationToken">The start took too long, or the node stops.</param>
    /// <exception cref="Exception">The life ends, and the start of the node fails; after a fence it is tried again.</exception>
    Task BeginAsync(NodeLife life, CancellationToken cancellationToken);

    /// <summary>The node has a place in the cluster.</summary>
    /// <param name="life">Now <see cref="NodeMembership.Life"/>.</param>
    void OnBegun(NodeLife life);

    /// <summary>The node has lost its place in the cluster. The thread that fences the life waits for this call, so it must not
    /// block.</summary>
    /// <param name="life">The life that has ended. It publishes nothing that counts any more.</param>
    void OnFenced(NodeLife life);

    /// <summary>Called every <see cref="NodeMembership.LookInterval"/> during a life, for what has to be looked at regularly. Must not
    /// block.</summary>
    /// <param name="life">The life.</param>
    void OnLook(NodeLife life);

    /// <summary>Called before the membership asks the directory for lost nodes. Default: nothing.</summary>
    /// <param name="life">The life.</param>
    /// <param name="cancellationToken">The life has ended, or the node stops.</param>
    /// <exception cref="Exception">The sweep is left out, and the fault is logged.</exception>
    Task OnSweepingAsync(NodeLife life, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Announces what has ended with a lost node. All logs say by then that it is down, and this node has read that. Default:
    /// nothing.</summary>
    /// <param name="life">The life of this node.</param>
    /// <param name="lost">The lost node. It may be announced again after a fault.</param>
    /// <param name="cancellationToken">It took too long, the life has ended, or the node stops.</param>
    /// <exception cref="Exception">The directory gives the lost node out again.</exception>
    Task AnnounceAsync(NodeLife life, LostNode lost, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>The directory has forgotten a lost node, after it was announced. Default: nothing.</summary>
    /// <param name="life">The life of this node.</param>
    /// <param name="lost">The lost node.</param>
    /// <param name="cancellationToken">The life has ended, or the node stops.</param>
    Task OnForgottenAsync(NodeLife life, LostNode lost, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Ends what belongs to a life: it was fenced, has failed to begin, or the node stops. Called once for each call of
    /// <see cref="BeginAsync"/>. The subscriptions and the log end afterwards.</summary>
    /// <param name="life">The life.</param>
    Task EndAsync(NodeLife life);
}
