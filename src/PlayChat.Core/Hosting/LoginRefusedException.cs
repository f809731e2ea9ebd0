namespace PlayChat.Core.Hosting;

/// <summary>The server has refused the login of a <see cref="LoginClient{TLogin, TAnswer}"/>.</summary>
/// <param name="message">The server's sentence.</param>
public sealed class LoginRefusedException(string message) : Exception(message);
