namespace PlayChat.Packaging.Tests;

/// <summary>The packages as they are published: built from scratch.</summary>
public sealed class ReleasePackageFeed : PackageFeed
{
    protected override string[] Options => [];
}
