using PlayChat.Server.Cluster;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Places;

/// <summary>Answers to requests that come while the server stops.</summary>
internal static class StopAnswers
{
    /// <summary>Sends a player that is logged in to another server, if there is one and its client goes there; else refuses.</summary>
    public static void FailStopping(this in PacketContext context, IPlaces places)
    {
        if (places.FindWayOut(Redirects.AreFollowedBy(context.Session)) is { } other)
        {
            context.FailRedirect(other);
        }
        else
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
    }
}
