using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// The beginning and the end of a room, and the hooks that tell of them.
public abstract partial class Room
{
    private bool _isCreated;
    private bool _mayBeEmpty; // somebody left or came since this was looked at
    private bool _isDisposed;
    private TaskCompletionSource? _ended;

    /// <summary>The room exists: its first turn. Comes before every job.</summary>
    /// <remarks>What a hook throws is logged and counted, and the room goes on.</remarks>
    protected virtual void OnCreate()
    {
    }

    /// <summary>Nobody is in the room, at the end of a turn in which the last one left, or somebody came who was not let in or could not stay.</summary>
    protected virtual void OnEmpty()
    {
    }

    /// <summary>
    /// The room was removed, or its server stops: all that was queued has run, nobody is a member any more, and nothing runs in this room afterwards. What is sent here
    /// still goes out.
    /// </summary>
    protected virtual void OnDispose()
    {
    }

    /// <summary>
    /// Removes the room: it is no longer found, and no more can be posted. What was queued before still runs; then those who are still members leave, and the room
    /// ends with <see cref="OnDispose"/>.
    /// </summary>
    protected void Remove()
    {
        if (!_removed)
        {
            _removed = true;
            _items.Writer.TryComplete();
            _context.Registry.Remove(this);
        }
    }

    /// <summary>For whoever waits until the last turn has flushed.</summary>
    private TaskCompletionSource Ended =>
        LazyInitializer.EnsureInitialized(ref _ended, static () => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Lets the first turn come. Once, when the room is registered.</summary>
    internal void Start() => Schedule();

    /// <summary>A session has ended: it is no member any more.</summary>
    private protected virtual void Lose(Session session)
    {
        if (Leave(session))
        {
            OnMemberLost(session);
        }
    }

    /// <summary>The room has ended: somebody is no member any more.</summary>
    private protected virtual void Dismiss(Session member) => TakeOut(member);

    /// <summary>Somebody comes, and may not be let in.</summary>
    private protected void LookWhetherEmpty() => _mayBeEmpty = true;

    /// <summary>Calls a hook whose fault concerns nobody but the room.</summary>
    private protected void RunHook<TArgument>(Action<TArgument> hook, TArgument argument, string name)
    {
        try
        {
            hook(argument);
        }
        catch (Exception e)
        {
            // The application's code; its fault must not stop the room.
            _services.Metrics.Add(Counter.HandlerFaults);
            RoomLog.HookFault(_services.Logger, e, name, Id, Name);
        }
    }

    private void Create()
    {
        _isCreated = true;
        RunHook(static room => room.OnCreate(), this, nameof(OnCreate));
    }

    /// <summary>Nothing can be queued any more, and nothing is.</summary>
    private bool IsLastTurn => _removed && !_isDisposed && !_items.Reader.TryPeek(out _);

    /// <summary>At the end of a turn's jobs.</summary>
    /// <param name="items">How much the turn has done.</param>
    private void Settle(int items)
    {
        if (IsLastTurn)
        {
            DismissAll(ref items);
        }

        if (_mayBeEmpty)
        {
            if (_memberCount == 0)
            {
                RunHook(static room => room.OnEmpty(), this, nameof(OnEmpty));
                if (_removeWhenEmpty && _memberCount == 0)
                {
                    Remove();
                }
            }

            _mayBeEmpty = false; // what the hook has done itself is seen already
        }

        if (IsLastTurn)
        {
            DismissAll(ref items); // whom the hook has let in
            if (_memberCount == 0)
            {
                Dispose();
            }
        }
    }

    /// <summary>The room has ended: nobody is a member any more, after as many turns as that takes.</summary>
    private void DismissAll(ref int items)
    {
        for (; _memberCount > 0 && !(_cutShort = IsSpent(items)); items++)
        {
            Dismiss(_members[_memberCount - 1]);
        }
    }

    private void Dispose()
    {
        _isDisposed = true;
        RunHook(static room => room.OnDispose(), this, nameof(OnDispose));
        _timers?.Clear();
        (_drained ??= []).Add(Ended);
    }
}
