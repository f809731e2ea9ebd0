namespace PlayChat.Cluster.Directory;

/// <summary>Checks what callers pass to a directory, alike for every implementation.</summary>
internal static class DirectoryArguments
{
    public static void CheckRegister(int nodeId, string endpoint)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(nodeId, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(nodeId, IClusterDirectory.MaxNodeId);
        ArgumentException.ThrowIfNullOrEmpty(endpoint);
        if (endpoint.Length > IClusterDirectory.MaxEndpointLength)
        {
            throw new ArgumentException($"An endpoint has at most {IClusterDirectory.MaxEndpointLength} characters.", nameof(endpoint));
        }
    }

    public static void CheckJoin(ClusterMember member, int maxMembers)
    {
        ArgumentNullException.ThrowIfNull(member);
        if (member.Name.Length > IClusterDirectory.MaxNameLength)
        {
            throw new ArgumentException($"A name has at most {IClusterDirectory.MaxNameLength} characters.", nameof(member));
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(maxMembers, 1);
    }
}
