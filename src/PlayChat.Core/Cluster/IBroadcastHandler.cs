namespace PlayChat.Core.Cluster;

/// <summary>A handler that gets the records of <see cref="RecordKind.Broadcast"/> as well.</summary>
internal interface IBroadcastHandler : IShardHandler;
