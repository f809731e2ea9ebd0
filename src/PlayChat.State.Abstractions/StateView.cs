namespace PlayChat.State;

/// <summary>What one member sees of the parts of a state that are viewed (<see cref="SyncAttribute.Viewed"/>). It starts empty.</summary>
/// <remarks>
/// <para>The cost of a call does not depend on the size of the state. The member gets what has changed with the next patch.</para>
/// <para>Invariant: the member has the objects in <c>_known</c>, and of those in <c>_withFields</c> the viewed fields as well. What is in
/// <c>_shown</c> and not there, or the reverse, is in <see cref="Touched"/>, unless the parent is unknown. Only the room's turn uses it.
/// </para>
/// </remarks>
public sealed class StateView
{
    private readonly StateTracker _tracker;
    private readonly Action<object> _lose;
    private NumberSet _shown = new();
    private NumberSet _known = new();
    private NumberSet _withFields = new();
    private NumberSet _wanted = new(); // while ShowOnly runs

    internal StateView(StateTracker tracker)
    {
        _tracker = tracker;
        _lose = value => Forget((value as SyncObject)?.Number ?? -1);
    }

    /// <summary>What was shown or hidden since the last patch.</summary>
    internal List<SyncObject> Touched { get; } = [];

    internal ReadOnlySpan<ulong> Known => _known.Words;

    /// <summary>
    /// Shows an object: the member sees it in its map, if that map is viewed, and its viewed fields. Does nothing if it is shown already.
    /// An object that leaves the state leaves all views.
    /// </summary>
    /// <exception cref="InvalidOperationException">The object is not in the state. Add it first.</exception>
    public void Show(SyncObject value)
    {
        if (!Require(value))
        {
            _shown.Add(value.Number);
            Touch(value);
        }
    }

    /// <summary>Hides an object that was shown. Does nothing if it was not.</summary>
    /// <exception cref="InvalidOperationException">The object is not in the state.</exception>
    public void Hide(SyncObject value)
    {
        if (Require(value))
        {
            _shown.Remove(value.Number);
            Touch(value);
        }
    }

    /// <summary>Shows these objects, and hides all others that were shown.</summary>
    /// <param name="values">The objects, such as the nearest ones. Read during the call.</param>
    /// <exception cref="InvalidOperationException">One of them is not in the state; nothing has changed.</exception>
    public void ShowOnly<T>(ReadOnlySpan<T> values)
        where T : SyncObject
    {
        _wanted.Clear();
        foreach (T value in values)
        {
            Require(value);
            _wanted.Add(value.Number);
        }

        for (int w = 0; w < _shown.Words.Length; w++)
        {
            ulong wanted = w < _wanted.Words.Length ? _wanted.Words[w] : 0;
            for (ulong left = _shown.Words[w] & ~wanted; left != 0; left &= left - 1)
            {
                if (_tracker.Objects[(w * 64) + BitOperations.TrailingZeroCount(left)] is { } value) // it may have left the state
                {
                    Hide(value);
                }
            }
        }

        foreach (T value in values)
        {
            Show(value);
        }
    }

    /// <summary>Returns whether an object is shown.</summary>
    public bool IsShown(SyncObject value)
    {
        _ = value ?? throw new ArgumentNullException(nameof(value));
        return value.Tracker == _tracker && _shown.Has(value.Number);
    }

    internal bool Knows(int number) => _known.Has(number);

    internal bool KnowsFields(int number) => _withFields.Has(number);

    internal void AddKnown(SyncObject value) => _known.Add(value.Number);

    /// <summary>The member gets an object as a whole.</summary>
    /// <returns>Whether it gets its viewed fields as well.</returns>
    internal bool OnWritten(SyncObject value)
    {
        _known.Add(value.Number);
        bool hasFields = _shown.Has(value.Number);
        if (hasFields && value.SyncType.ViewedFields != 0)
        {
            _withFields.Add(value.Number);
        }

        return hasFields;
    }

    /// <summary>The member loses an object and what is below it.</summary>
    internal void Lose(SyncObject value) => SyncObject.Visit(value, _lose);

    /// <summary>The member loses the viewed fields of an object and what is in them.</summary>
    internal void LoseFields(SyncObject value)
    {
        _withFields.Remove(value.Number);
        value.VisitFields(_lose, value.SyncType.ViewedFields);
    }

    /// <summary>The member gets everything that it sees as a whole.</summary>
    internal void BeginSnapshot()
    {
        _known.Clear();
        _withFields.Clear();
        Touched.Clear();
    }

    /// <summary>These numbers will mean other objects.</summary>
    internal void Forget(List<int> numbers)
    {
        foreach (int number in numbers)
        {
            _shown.Remove(number);
            Forget(number);
        }
    }

    private void Forget(int number)
    {
        _known.Remove(number);
        _withFields.Remove(number);
    }

    private void Touch(SyncObject value)
    {
        Touched.Add(value);
        _tracker.NoteViewChanged();
    }

    /// <returns>Whether the object, which is in the state, is shown.</returns>
    private bool Require(SyncObject value)
    {
        _ = value ?? throw new ArgumentNullException(nameof(value));
        return value.Tracker == _tracker
            ? _shown.Has(value.Number)
            : throw new InvalidOperationException($"This {value.SyncType.Name} is not in the state. Add it to the state first.");
    }

    /// <summary>A change of what a member sees: of viewed fields, of a key that leaves a map, or of an object that enters one.</summary>
    internal readonly record struct Edit(SyncObject Owner, ulong Slots, object? Key = null, SyncObject? Added = null);
}
