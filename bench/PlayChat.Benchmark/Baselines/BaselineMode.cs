namespace PlayChat.Benchmark.Baselines;

/// <summary>What a baseline server does with what it receives. PlayChat.Server has the same modes.</summary>
internal enum BaselineMode
{
    /// <summary>4-byte big-endian length and body, sent back as they came.</summary>
    Echo,

    /// <summary>Logins and echo requests of the chat protocol: protobuf messages whose answers name their request.</summary>
    Chat,

    /// <summary>length(2) + sender(2) + payload, passed on to every connection of the sender's room.</summary>
    Broadcast,
}
