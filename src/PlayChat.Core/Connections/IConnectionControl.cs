namespace PlayChat.Core.Connections;

/// <summary>What the parts of a connection ask of it. None of it is called while frames come and go as usual.</summary>
internal interface IConnectionControl
{
    long Id { get; }

    EndPoint? RemoteEndPoint { get; }

    Connection Connection { get; }

    CloseReason CloseReason { get; }

    CancellationToken Aborted { get; }

    void Close(CloseReason reason = CloseReason.LocalClose);

    /// <summary>Has the application tell the peer why, then closes.</summary>
    void TellAndClose(CloseReason reason);

    void Abort(CloseReason reason = CloseReason.LocalClose);

    /// <summary>Sets the close reason, unless there is one.</summary>
    void SetReason(CloseReason reason);

    /// <summary>Everything that could be delivered has been: the connection has ended without an abort.</summary>
    void OnDelivered();

    /// <summary>Both directions are at rest. The last call.</summary>
    void OnEnded();
}
