namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Accounts</c>.</summary>
internal sealed class AccountSettings
{
    public bool AutoRegister { get; set; }

    public PasswordlessPolicy AllowPasswordless { get; set; }

    public int PasswordIterations { get; set; }

    public int MaxPendingPasswords { get; set; }
}
