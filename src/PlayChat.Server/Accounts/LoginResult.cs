using PlayChat.Protocol;
using PlayChat.Storage;

namespace PlayChat.Server.Accounts;

/// <summary>What came of checking a name and a password.</summary>
/// <param name="Account">Who it is; <see langword="null"/> when nobody is let in.</param>
/// <param name="IsNew">Registered just now.</param>
/// <param name="Code">Why nobody is let in.</param>
/// <param name="Message">What to do about it.</param>
internal sealed record LoginResult(Account? Account, bool IsNew = false, ErrorCode Code = ErrorCode.None, string Message = "")
{
    public static LoginResult Refused(ErrorCode code, string message) => new(null, false, code, message);
}
