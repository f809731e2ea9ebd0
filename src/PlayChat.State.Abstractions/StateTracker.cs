using System.Text;

namespace PlayChat.State;

/// <summary>Gives the objects of a state their numbers, and knows what has changed since the last patch.</summary>
/// <remarks>
/// <para>Invariant: <c>_objects[n]</c> has the number n and this tracker, and is in the state. A number that was freed is given again only
/// after <see cref="End"/>, so that within one revision a number means one object. Between <see cref="Begin"/> and <see cref="End"/> the
/// state does not change, and <see cref="Changed"/> has the objects of which clients see a change.</para>
/// <para>Only the room's turn uses it.</para>
/// </remarks>
internal sealed class StateTracker
{
    private readonly StateLimits _limits;
    private readonly Stack<int> _free = new();
    private readonly List<int> _freed = []; // since the last patch
    private readonly List<StateView> _views = [];
    private readonly (Action<object> Count, Action<object> Attach, Action<object> Detach) _see; // made once
    private SyncObject?[] _objects = new SyncObject?[64];
    private NumberSet _changed = new();
    private int _counted;
    private bool _hasChanges = true;
    private bool _hasViewChanges;
    private uint _forgotten; // earlier bases get a snapshot

    internal StateTracker(SyncObject root, StateLimits limits)
    {
        _limits = limits;
        _see = (Count, AttachOne, DetachOne);
        Root = root;
        HasViews = root.SyncType.WithNested().Exists(static type => (type.ViewedMaps | type.ViewedFields) != 0);
        Attach(root);
    }

    internal SyncObject Root { get; }

    /// <summary>Whether members see different parts of the state.</summary>
    internal bool HasViews { get; }

    /// <summary>The revision that was written last, or is being written.</summary>
    internal uint Revision { get; private set; }

    /// <summary>A member that has an earlier revision than this gets a snapshot.</summary>
    internal uint OldestBase =>
        Math.Max(_forgotten, (Math.Max(Revision / SyncObject.RevisionsPerEpoch, 1) - 1) * SyncObject.RevisionsPerEpoch);

    internal ReadOnlySpan<SyncObject?> Objects => _objects;

    /// <summary>One behind the highest number that was given.</summary>
    internal int Bound { get; private set; }

    /// <summary>The objects that were created since the last patch, parents first. Some may have left again.</summary>
    internal List<SyncObject> Created { get; } = [];

    /// <summary>What has left viewed maps since the last patch, with the numbers that it had.</summary>
    internal List<(StateView.Edit Removal, int Number)> Left { get; } = [];

    internal ReadOnlySpan<ulong> Changed => _changed.Words;

    /// <summary>Notes that an object was set, which had no changes before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void NoteChanged(int number)
    {
        _changed.Add(number);
        _hasChanges = true;
    }

    /// <summary>Notes that a member sees something else.</summary>
    internal void NoteViewChanged() => _hasChanges = _hasViewChanges = true;

    /// <summary>Notes that an object is about to leave a map.</summary>
    internal void NoteLeft(SyncObject item)
    {
        if (item.IsInViewedMap)
        {
            Left.Add((new StateView.Edit(item.Parent!, item.ParentSlot, item.Key), item.Number));
        }
    }

    /// <summary>Gives numbers to an object that has entered the state, and to all below it.</summary>
    /// <exception cref="InvalidOperationException">A limit would be exceeded; nothing has changed.</exception>
    internal void Attach(SyncObject value)
    {
        _counted = 0;
        SyncObject.Visit(value, _see.Count);
        if (Bound - _free.Count + _counted > _limits.MaxObjects) // numbers that were freed for the next patch count still
        {
            throw new InvalidOperationException(
                $"The state would have more than {_limits.MaxObjects} objects ({nameof(StateLimits)}.{nameof(StateLimits.MaxObjects)}).");
        }

        SyncObject.Visit(value, _see.Attach);
    }

    /// <summary>Takes the numbers back.</summary>
    internal void Detach(SyncObject value) => SyncObject.Visit(value, _see.Detach);

    /// <exception cref="ArgumentException">The text is too long.</exception>
    internal void Check(string? text)
    {
        if (text is not null && text.Length > _limits.MaxTextBytes / 3 && Encoding.UTF8.GetByteCount(text) > _limits.MaxTextBytes)
        {
            throw new ArgumentException(
                $"The text has more than {_limits.MaxTextBytes} bytes ({nameof(StateLimits)}.{nameof(StateLimits.MaxTextBytes)}).",
                nameof(text));
        }
    }

    /// <summary>A member whose revision is earlier gets a snapshot.</summary>
    internal void ForgetBefore(uint revision) => _forgotten = revision;

    internal StateView AddView()
    {
        var view = new StateView(this);
        _views.Add(view);
        return view;
    }

    internal void RemoveView(StateView view) => _views.Remove(view);

    /// <summary>Begins a revision with all that has changed.</summary>
    /// <returns>Whether clients see a change.</returns>
    internal bool Begin()
    {
        if (!_hasChanges)
        {
            return false;
        }

        Revision++;
        foreach (SyncObject created in Created)
        {
            if (created.Tracker == this)
            {
                created.BeginLife(Revision);
                _changed.Remove(created.Number);
            }
        }

        bool hasChange = _hasViewChanges || Revision == 1;
        ReadOnlySpan<ulong> words = _changed.Words;
        for (int w = 0; w < words.Length; w++)
        {
            for (ulong left = words[w]; left != 0; left &= left - 1)
            {
                SyncObject value = _objects[(w * 64) + BitOperations.TrailingZeroCount(left)]!;
                if (value.TakeChange(Revision) != 0)
                {
                    hasChange = true;
                }
                else
                {
                    _changed.Remove(value.Number);
                }
            }
        }

        if (!hasChange)
        {
            Revision--;
            End();
        }

        return hasChange;
    }

    /// <summary>Ends the revision: all members have been written to.</summary>
    internal void End()
    {
        foreach (StateView view in _views)
        {
            view.Forget(_freed);
        }

        foreach (int number in _freed)
        {
            _free.Push(number);
        }

        Created.Clear();
        Left.Clear();
        _freed.Clear();
        _changed.Clear();
        _hasChanges = _hasViewChanges = false;
    }

    private void Count(object seen)
    {
        Check(seen as string);
        if (seen is SyncObject value)
        {
            _counted++;
            value.Depth = (value.Parent?.Depth ?? 0) + 1;
            if (value.Depth > _limits.MaxDepth)
            {
                throw new InvalidOperationException(
                    $"Objects would lie deeper than {_limits.MaxDepth} ({nameof(StateLimits)}.{nameof(StateLimits.MaxDepth)}).");
            }
        }
    }

    private void AttachOne(object seen)
    {
        (seen as SyncCollection)?.ForgetChange();
        if (seen is SyncObject value)
        {
            int number = _free.TryPop(out int free) ? free : Bound++;
            if (number == _objects.Length)
            {
                Array.Resize(ref _objects, 2 * number);
            }

            _objects[number] = value;
            value.Tracker = this;
            value.Number = number;
            value.CreatedAt = uint.MaxValue; // until the revision that creates it begins
            Created.Add(value);
        }
    }

    private void DetachOne(object seen)
    {
        if (seen is SyncObject value)
        {
            _objects[value.Number] = null;
            _changed.Remove(value.Number);
            _freed.Add(value.Number);
            value.Tracker = null;
        }
    }
}
