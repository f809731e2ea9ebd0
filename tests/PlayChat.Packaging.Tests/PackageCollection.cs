namespace PlayChat.Packaging.Tests;

/// <summary>The tests of the packages share one feed, which takes a while to fill.</summary>
[CollectionDefinition]
public sealed class PackageCollection : ICollectionFixture<PackageFeed>;
