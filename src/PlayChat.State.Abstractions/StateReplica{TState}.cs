using System.Buffers;

namespace PlayChat.State;

/// <summary>A client's copy of the state of a room.</summary>
/// <remarks>
/// <para>Give it the body of each packet with the id that the server uses for the state. The class may be older or newer than the server's:
/// fields that both have, by their numbers, are kept in step.</para>
/// <para>Not thread-safe: use it and the state from one thread at a time. Do not change the state; the next patch builds on it.</para>
/// </remarks>
/// <typeparam name="TState">The class of the state, with <see cref="SyncStateAttribute"/>.</typeparam>
public sealed class StateReplica<TState>
    where TState : SyncObject
{
    private readonly StateDecoder _decoder;

    /// <summary>Makes a copy that is empty until the first snapshot.</summary>
    /// <param name="state">An empty state. The replica changes it and never replaces it, so handlers can be added before.</param>
    /// <param name="limits">Bounds for what the server may send; copied. Default: the defaults of <see cref="StateLimits"/>.</param>
    /// <exception cref="ArgumentException">The state is that of a room, or a part of another object.</exception>
    public StateReplica(TState state, StateLimits? limits = null)
    {
        _ = state ?? throw new ArgumentNullException(nameof(state));
        if (state.Parent is not null || state.Tracker is not null)
        {
            throw new ArgumentException("The state belongs to a room or to another object. Pass a new one.", nameof(state));
        }

        State = state;
        _decoder = new StateDecoder(state, (limits ?? new StateLimits()).Checked());
    }

    /// <summary>Raised after a message was applied and all handlers of objects, lists and maps were called.</summary>
    public event Action<StateReplica<TState>>? Applied;

    /// <summary>The state as the last message has left it.</summary>
    public TState State { get; }

    /// <summary>Whether there was a snapshot, and no malformed message since.</summary>
    public bool HasState => _decoder.HasState;

    /// <summary>
    /// The server's number of the present state; 0 without one. It rises, but not when the room has moved to another server. Any thread may
    /// read it.
    /// </summary>
    public uint Revision => _decoder.Revision;

    /// <summary>Applies a snapshot or a patch, and calls the handlers. It never throws because of what the server sent.</summary>
    /// <param name="message">The packet's body. Not kept.</param>
    public StateApplyResult Apply(ReadOnlySpan<byte> message)
    {
        StateApplyResult result = _decoder.Apply(message);
        if (result == StateApplyResult.Applied)
        {
            _decoder.RaiseEvents();
            Applied?.Invoke(this);
        }

        return result;
    }

    /// <inheritdoc cref="Apply(ReadOnlySpan{byte})"/>
    public StateApplyResult Apply(in ReadOnlySequence<byte> message) =>
        message.IsSingleSegment ? Apply(message.FirstSpan) : Apply(message.ToArray());
}
