using PlayChat.Chat.Cluster;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Places;

/// <summary>Answers to requests that come while the server stops, or has no place in its cluster.</summary>
internal static class StopAnswers
{
    /// <summary>Whether a login or a resume can enter this server now. If not, that has been answered.</summary>
    public static bool TryAdmit(this in PacketContext context, IPlaces places, ShutdownState shutdown, bool followsRedirects)
    {
        if (places.FindWayOut(followsRedirects) is { } other)
        {
            context.FailRedirect(other);
        }
        else if (shutdown.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
        else if (!places.IsOpen)
        {
            context.FailUnavailable();
        }
        else
        {
            return true;
        }

        return false;
    }

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
