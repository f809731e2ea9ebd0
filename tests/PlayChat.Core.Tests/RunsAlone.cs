namespace PlayChat.Core.Tests;

/// <summary>Tests that measure the whole process, and so run when no other does.</summary>
[CollectionDefinition(nameof(RunsAlone), DisableParallelization = true)]
public sealed class RunsAlone;
