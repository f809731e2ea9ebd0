namespace PlayChat.Simulation.Cluster;

/// <summary>One start of a node of a cluster.</summary>
internal interface IFleetNode
{
    /// <summary>What it runs on.</summary>
    Machine Machine { get; }

    /// <summary>Starts its server.</summary>
    /// <returns>What went wrong; <see langword="null"/> if it runs.</returns>
    Task<Exception?> StartAsync();

    /// <summary>Stops its server.</summary>
    Task StopAsync();
}
