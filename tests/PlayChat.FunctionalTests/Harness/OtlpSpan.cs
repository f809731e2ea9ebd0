namespace PlayChat.FunctionalTests.Harness;

/// <summary>A span as a collector gets it.</summary>
internal sealed record OtlpSpan(string Source, string TraceId, string Id, string ParentId, string Name);
