namespace PlayChat.Storage;

/// <summary>The result of creating an account.</summary>
/// <param name="Status">Whether it was created.</param>
/// <param name="Account">The new account, or the one that holds the name already.</param>
public sealed record CreateAccountResult(CreateAccountStatus Status, Account Account);
