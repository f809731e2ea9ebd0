namespace PlayChat.Protocol;

/// <summary>Which refusals of a chat server may pass, so that a client that returns tries again.</summary>
internal static class RefusalPolicy
{
    /// <summary>Whether the next attempt may succeed although the server refused this one.</summary>
    public static bool MayPass(Exception exception) => exception is ChatErrorException
    {
        Code: ErrorCode.ServerBusy or ErrorCode.StorageUnavailable or ErrorCode.Internal or ErrorCode.ServerShutdown
            or ErrorCode.LoginThrottled or ErrorCode.RateLimited or ErrorCode.Redirect or ErrorCode.Unavailable,
    };
}
