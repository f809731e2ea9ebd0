namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Why a request failed (RFC 9457).</summary>
/// <param name="Title">The kind of problem.</param>
/// <param name="Status">The HTTP status.</param>
/// <param name="Detail">What is wrong and what to do.</param>
internal sealed record Problem(
    string Title,
    int Status,
    string Detail);
