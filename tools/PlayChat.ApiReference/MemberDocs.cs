namespace PlayChat.ApiReference;

/// <summary>What the documentation says of one type or member, as Markdown.</summary>
/// <param name="Summary">What it is.</param>
/// <param name="Remarks">More of it; empty for nothing.</param>
/// <param name="Details">Parameters, result and exceptions, one line each.</param>
internal sealed record MemberDocs(string Summary, string Remarks, IReadOnlyList<string> Details);
