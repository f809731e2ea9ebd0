namespace PlayChat.Core.Sessions;

/// <summary>A user to whom a session is bound.</summary>
/// <param name="Id">The application's number for the user.</param>
/// <param name="Name">The user's name, as it is shown and looked up.</param>
/// <remarks>Derive from it to keep what your application knows of the user with the session.</remarks>
public record SessionUser(long Id, string Name);
