using PlayChat.Chat.Cluster;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Places;

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
