using PlayChat.Storage.Passwords;

namespace PlayChat.Chat.Accounts;

/// <summary>Hashes and checks the passwords of rooms as those of accounts, beside the rooms' turns. Thread-safe.</summary>
internal sealed class RoomPasswords(PasswordVerifier passwords, PlayerLimits limits, ServerSettings settings)
{
    /// <summary>Whether capacity and password are allowed. If not, that has been answered.</summary>
    public bool TryCheck(PacketContext context, uint capacity, string password)
    {
        int most = settings.PlayChat.Rooms.MaxMembers;
        if (capacity == 1 || capacity > most)
        {
            context.Fail(ErrorCode.RoomTermsInvalid, $"A room takes 2 to {most} players on this server. Choose another capacity.");
            return false;
        }

        if (!ChatRules.IsPassword(password))
        {
            context.Fail(
                ErrorCode.RoomTermsInvalid,
                $"The password of a room has at most {ChatLimits.MaxPasswordBytes} bytes. Choose a shorter one.");
            return false;
        }

        return true;
    }

    /// <summary>Hashes a password that was checked.</summary>
    /// <returns><see langword="null"/> when the player has to wait, which has been answered.</returns>
    public async ValueTask<string?> HashAsync(PacketContext context, string password, CancellationToken cancellationToken)
    {
        if (!limits.TryTakeRoomPassword(context))
        {
            return null;
        }

        using PasswordTurn turn = await passwords.EnterAsync(cancellationToken);
        return await turn.HashAsync(password);
    }

    /// <summary>Whether a password belongs to a hash. If not, that has been answered.</summary>
    public async ValueTask<bool> OpensAsync(PacketContext context, string password, string hash, CancellationToken cancellationToken)
    {
        if (password.Length == 0 || !ChatRules.IsPassword(password))
        {
            FailPassword(context, "This room needs a password");
            return false;
        }

        if (!limits.TryTakeRoomPassword(context))
        {
            return false;
        }

        using PasswordTurn turn = await passwords.EnterAsync(cancellationToken);
        if (await turn.VerifyAsync(password, hash) == PasswordVerification.Failed)
        {
            FailPassword(context, "Incorrect password of the room");
            return false;
        }

        return true;
    }

    private static void FailPassword(PacketContext context, string what) =>
        context.Fail(ErrorCode.RoomPasswordRequired, $"{what}. Ask one of its moderators for it, and join with it.");
}
