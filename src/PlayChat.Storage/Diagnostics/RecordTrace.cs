using System.Diagnostics;

namespace PlayChat.Storage.Diagnostics;

/// <summary>The span in which a record was appended, and when.</summary>
internal sealed record RecordTrace(ActivityContext Parent, DateTimeOffset Accepted);
