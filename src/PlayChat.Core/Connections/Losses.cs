namespace PlayChat.Core.Connections;

/// <summary>What became of frames that could not simply be queued.</summary>
/// <param name="Replaced">Older frames of the same key that gave way.</param>
/// <param name="Skipped">Frames that were dropped because the peer is behind.</param>
/// <param name="Refused">Frames for which there was no room.</param>
internal record struct Losses(int Replaced, int Skipped, int Refused)
{
    internal readonly bool IsNone => (Replaced | Skipped | Refused) == 0;
}
