using System.Buffers;
using System.Runtime.InteropServices;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.State;

/// <summary>
/// Keeps the members of a room in step with a state: each member gets a snapshot, and then a patch at the end of each tick that has changed
/// something; in a room without ticks, at the end of each turn.
/// </summary>
/// <remarks>
/// <para>Add it to the room by <c>AddPart</c>, change the state by assignments, and do nothing else. All members get the same bytes,
/// encoded once, unless fields of the state are viewed (<see cref="SyncAttribute.Viewed"/>).</para>
/// <para>In a room that a cluster shares the state is a part of the room's snapshot. There the room does not know which members are behind,
/// so those get every patch.</para>
/// <para>Use it only in the room's turn. Only <see cref="Confirm"/> is thread-safe.</para>
/// </remarks>
/// <typeparam name="TState">The class of the state, with <see cref="SyncStateAttribute"/>.</typeparam>
public sealed class StateSync<TState> : RoomPart
    where TState : SyncObject
{
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromMilliseconds(50);

    private readonly StateLimits _limits;
    private readonly FrameHeader _header;
    private readonly int _maxWaitingBytes;
    private readonly StateTracker _tracker;
    private readonly StateEncoder _encoder;
    private readonly Dictionary<Session, Receiver> _receivers = [];
    private readonly List<Session> _current = []; // the members that get the same patch, while it is sent
    private readonly Action _retry;
    private bool _isDue; // whether the turn ends with a patch although the room has not ticked
    private bool _isRetrying;

    /// <summary>Makes the part. Pass it to the room's <c>AddPart</c>.</summary>
    /// <param name="state">The state. Clients begin with an empty one of the same class.</param>
    /// <param name="options">The options; read now.</param>
    /// <exception cref="ArgumentException">The state has a place elsewhere, or an option is out of range.</exception>
    public StateSync(TState state, StateOptions options)
    {
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfEqual(options.PacketId, ushort.MaxValue, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(options.MaxWaitingBytes, nameof(options));
        if (state.Parent is not null || state.Tracker is not null)
        {
            throw new ArgumentException("The state belongs to a room or to another object. Pass a new one.", nameof(state));
        }

        State = state;
        _limits = options.Limits.Checked();
        _header = new FrameHeader(PacketId: options.PacketId);
        _maxWaitingBytes = options.MaxWaitingBytes;
        _tracker = new StateTracker(state, _limits);
        _encoder = new StateEncoder(_tracker, _limits);
        _retry = () => (_isRetrying, _isDue) = (false, true);
    }

    /// <summary>The state.</summary>
    public TState State { get; }

    /// <summary>The number of the state that was sent last.</summary>
    public uint Revision => _tracker.Revision;

    /// <summary>The view of a member. Use it from <c>OnJoined</c> on.</summary>
    /// <exception cref="InvalidOperationException">The session is no member, or no field of the state is viewed.</exception>
    public StateView ViewOf(RoomMember member)
    {
        ArgumentNullException.ThrowIfNull(member);
        return _receivers.TryGetValue(member.Session, out Receiver? receiver)
            ? receiver.View ?? throw new InvalidOperationException("No field of the state is viewed: set Viewed in its [Sync].")
            : throw new InvalidOperationException("The session is no member of the room.");
    }

    /// <summary>Sends what has changed at the end of this turn, although the room ticks and has not ticked in it.</summary>
    public void Flush() => _isDue = true;

    /// <summary>
    /// Notes which revision a client has that resumes, so that it gets a patch instead of a snapshot, if that is smaller. Call it when the
    /// client's answer is sent (the argument <c>welcome</c> of <see cref="SessionRegistry.ResumeAsync"/>), with the revision that the
    /// client has sent (<see cref="StateReplica{TState}.Revision"/>). Thread-safe.
    /// </summary>
    /// <param name="connection">The new connection.</param>
    /// <param name="revision">The revision.</param>
    public void Confirm(Connection connection, uint revision)
    {
        ArgumentNullException.ThrowIfNull(connection);
        connection.Set(new Confirmation(this, revision));
    }

    /// <inheritdoc/>
    protected override void OnJoined(RoomMember member)
    {
        _receivers[member.Session] = new Receiver(member, _tracker.HasViews ? _tracker.AddView() : null);
        _isDue = true;
    }

    /// <inheritdoc/>
    protected override void OnLeave(RoomMember member, LeaveReason reason)
    {
        if (_receivers.Remove(member.Session, out Receiver? receiver) && receiver.View is { } view)
        {
            _tracker.RemoveView(view);
        }
    }

    /// <inheritdoc/>
    protected override void OnReturn(RoomMember member)
    {
        Receiver receiver = _receivers[member.Session];
        if (member.IsRecovered && receiver.IsCurrent)
        {
            return; // the room has replayed the patches
        }

        if (!member.IsRecovered)
        {
            // A revision that the member cannot have is no base for a patch.
            uint last = receiver.IsCurrent && receiver.View is null ? _tracker.Revision : receiver.Base;
            receiver.Base = member.Session.Connection.Get<Confirmation>() is { } confirmed && confirmed.State == this
                && confirmed.Revision >= receiver.First && confirmed.Revision <= last ? confirmed.Revision : 0;
        }

        receiver.IsCurrent = false;
        _isDue = true;
    }

    /// <inheritdoc/>
    protected override void OnTick() => _isDue = true;

    /// <inheritdoc/>
    protected override void OnTurnEnd()
    {
        if (IsTicking && !_isDue)
        {
            return;
        }

        _isDue = false;
        bool hasPatch = _tracker.Begin();
        try
        {
            Send(hasPatch);
        }
        catch
        {
            // Some members lack this revision, for example because a message would be too large: all get a snapshot when that is possible.
            foreach (Receiver receiver in _receivers.Values)
            {
                (receiver.IsCurrent, receiver.Base) = (false, 0);
            }

            throw;
        }
        finally
        {
            if (hasPatch)
            {
                _tracker.End();
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnSnapshot(IBufferWriter<byte> state) => state.Write(_encoder.WriteExact());

    /// <inheritdoc/>
    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        StateLimits limits = _limits.Checked();
        limits.MaxMessageBytes = int.MaxValue; // it comes from a server
        if (new StateDecoder(State, limits).Apply(state) != StateApplyResult.Applied)
        {
            throw new InvalidOperationException("The state that another server has left cannot be read. Its classes may be incompatible.");
        }
    }

    private void Send(bool hasPatch)
    {
        bool hasWaiting = false;
        _current.Clear();
        foreach (Receiver receiver in _receivers.Values)
        {
            bool isAway = receiver.Member.IsAway;
            bool isBehind = !isAway && GetWaitingBytes(receiver.Member.Session) > _maxWaitingBytes;
            if (receiver.IsCurrent && hasPatch && (isBehind || (isAway && receiver.View is not null)))
            {
                receiver.IsCurrent = false;
                receiver.Base = receiver.View is null ? _tracker.Revision - 1 : 0;
            }

            if (!receiver.IsCurrent && !isAway && (!isBehind || receiver.First is null))
            {
                SendTo(receiver, receiver.View is { } view ? _encoder.WriteSnapshot(view) : FindSmallest(receiver.Base));
                receiver.IsCurrent = true;
                receiver.First ??= _tracker.Revision;
            }
            else if (!receiver.IsCurrent)
            {
                hasWaiting |= !isAway;
            }
            else if (hasPatch && receiver.View is not null)
            {
                SendTo(receiver, _encoder.WriteView(receiver.View, receiver.Base));
            }
            else if (hasPatch)
            {
                _current.Add(receiver.Member.Session);
            }
        }

        if (_current.Count > 0 && _current.Count == _receivers.Count)
        {
            Broadcast(_encoder.WritePatch(), _header);
        }
        else if (_current.Count > 0)
        {
            BroadcastTo(CollectionsMarshal.AsSpan(_current), _encoder.WritePatch(), _header);
        }

        if (hasWaiting && !_isRetrying)
        {
            _isRetrying = true;
            After(s_retryAfter, _retry);
        }
    }

    /// <summary>Returns what leads from a revision to the present one in fewer bytes: nothing, a patch or a snapshot.</summary>
    private ReadOnlySpan<byte> FindSmallest(uint revision)
    {
        if (revision == _tracker.Revision)
        {
            return default;
        }

        ReadOnlySpan<byte> snapshot = _encoder.WriteSnapshot();
        ReadOnlySpan<byte> patch = revision == 0 ? default : _encoder.WritePatchSince(revision);
        return patch.IsEmpty || patch.Length > snapshot.Length ? snapshot : patch;
    }

    private void SendTo(Receiver receiver, ReadOnlySpan<byte> message)
    {
        if (!message.IsEmpty)
        {
            Session session = receiver.Member.Session;
            BroadcastTo(new ReadOnlySpan<Session>(in session), message, _header);
            receiver.Base = _tracker.Revision;
        }
    }

    /// <summary>What a client says that it has.</summary>
    private sealed record Confirmation(StateSync<TState> State, uint Revision);

    /// <summary>A member.</summary>
    private sealed class Receiver(RoomMember member, StateView? view)
    {
        internal RoomMember Member => member;

        internal StateView? View => view;

        /// <summary>Whether it has got everything so far.</summary>
        internal bool IsCurrent { get; set; }

        /// <summary>The revision that it has; 0 for none. Without views it is not kept while the member is current.</summary>
        internal uint Base { get; set; }

        /// <summary>The first revision that it has got.</summary>
        internal uint? First { get; set; }
    }
}
