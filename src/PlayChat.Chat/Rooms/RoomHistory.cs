using System.Text;
using Google.Protobuf.Collections;

namespace PlayChat.Chat.Rooms;

/// <summary>The newest events of a room: a ring, bounded in events and bytes. For the room's turn alone.</summary>
/// <param name="maxEvents">Most events.</param>
/// <param name="maxBytes">Most bytes, as the events go over the wire.</param>
/// <param name="behind">The last sequence of an earlier run; 0 for a new room.</param>
/// <param name="lastMessage">The last message of that run, where it is known and is not the last sequence.</param>
internal sealed class RoomHistory(int maxEvents, int maxBytes, long behind = 0, long? lastMessage = null)
{
    private RoomEvent[] _events = []; // a ring that grows up to maxEvents
    private int _first;
    private int _count;
    private int _bytes;
    private long _latest = behind;

    /// <summary>The sequence of the newest message that the ring has dropped; 0 when it has dropped none.</summary>
    public long LetGoThrough { get; private set; } = behind;

    /// <summary>The newest message up to there: once it is stored, the store has all that the ring does not have.</summary>
    public long LastLetGo { get; private set; } = lastMessage ?? behind;

    /// <summary>The sequence of the newest event; before the first event, the sequence at which the room starts.</summary>
    public long Latest => _latest;

    /// <summary>The sequences of the first and the last message that the chat log refused; (0, 0) when it refused none.</summary>
    public (long First, long Last) Refused { get; private set; }

    /// <summary>Adds the next event, and drops the oldest ones when there is no space.</summary>
    public void Add(in RoomEvent added)
    {
        _latest = added.Sequence;
        while (_count > 0 && (_count >= maxEvents || _bytes + added.Bytes > maxBytes))
        {
            LetGo(in At(0));
            _bytes -= At(0).Bytes;
            At(0) = default; // frees its text
            _first = (_first + 1) % _events.Length;
            _count--;
        }

        if (maxEvents == 0 || added.Bytes > maxBytes)
        {
            LetGo(in added);
            return;
        }

        Grow();
        _count++;
        At(_count - 1) = added;
        _bytes += added.Bytes;
    }

    /// <summary>Finds an event; <see langword="null"/> when the ring does not have it.</summary>
    public RoomEvent? Find(long sequence)
    {
        int index = FindAfter(sequence - 1);
        return index < _count && At(index).Sequence == sequence ? At(index) : null;
    }

    /// <summary>Gives a message another text, if the ring has it and it was not deleted.</summary>
    public void Change(long sequence, string text, long editedAtUnixMs)
    {
        int index = FindAfter(sequence - 1);
        if (index < _count && At(index) is { Kind: RoomEventKind.Chat, Text.Length: > 0 } message && message.Sequence == sequence)
        {
            int grown = Encoding.UTF8.GetByteCount(text) - Encoding.UTF8.GetByteCount(message.Text);
            At(index) = message with { Text = text, EditedAtUnixMs = editedAtUnixMs, Bytes = message.Bytes + grown };
            _bytes += grown;
        }
    }

    /// <summary>Empties what a player has said.</summary>
    public void EraseOf(long playerId)
    {
        for (int i = 0; i < _count; i++)
        {
            RoomEvent said = At(i);
            if (said is { Kind: RoomEventKind.Chat or RoomEventKind.Edit, Text.Length: > 0 } && said.Who.PlayerId == playerId)
            {
                int erased = Encoding.UTF8.GetByteCount(said.Text);
                At(i) = said with { Text = "", Bytes = said.Bytes - erased };
                _bytes -= erased;
            }
        }
    }

    /// <summary>Notes a message that the chat log refused: once the ring drops it, it is lost.</summary>
    public void NoteRefused(long sequence) => Refused = (Refused.First == 0 ? sequence : Refused.First, sequence);

    /// <summary>The newest messages before a sequence.</summary>
    /// <param name="roomId">The room, for the packets.</param>
    /// <param name="sequence">Exclusive.</param>
    /// <param name="limit">Most messages.</param>
    /// <param name="pageBytes">About so many bytes, one message at least.</param>
    /// <param name="readerId">The player that reads, for its own reactions.</param>
    public HistorySlice Before(long roomId, long sequence, int limit, int pageBytes, long readerId)
    {
        HistorySlice slice = Page(roomId, FindAfter(sequence - 1) - 1, step: -1, limit, pageBytes);
        slice.Messages.Reverse();
        AddReactions(slice.Messages, readerId);
        return slice;
    }

    /// <summary>The oldest messages after a sequence.</summary>
    /// <inheritdoc cref="Before"/>
    public HistorySlice After(long roomId, long sequence, int limit, int pageBytes, long readerId)
    {
        HistorySlice slice = Page(roomId, FindAfter(sequence), step: 1, limit, pageBytes);
        AddReactions(slice.Messages, readerId);
        return slice;
    }

    /// <summary>Whether it holds everything after a sequence.</summary>
    public bool Reaches(long sequence) =>
        sequence == _latest || (_count > 0 && sequence >= At(0).PreviousSequence && sequence < _latest);

    /// <summary>Finds out what there is after a sequence.</summary>
    public RoomStanding Measure(long sequence)
    {
        bool reaches = Reaches(sequence);
        int bytes = 0;
        int messages = 0;
        for (int i = reaches ? FindAfter(sequence) : _count; i < _count; i++)
        {
            bytes += At(i).Bytes;
            messages += At(i).Kind == RoomEventKind.Chat ? 1 : 0;
        }

        return new RoomStanding(_latest, reaches, bytes, messages);
    }

    /// <summary>All events after a sequence, in order. Enumerate them at once.</summary>
    public IEnumerable<RoomEvent> EventsAfter(long sequence)
    {
        for (int i = FindAfter(sequence); i < _count; i++)
        {
            yield return At(i);
        }
    }

    /// <summary>The messages from a place on, in the order in which they are met.</summary>
    private HistorySlice Page(long roomId, int from, int step, int limit, int pageBytes)
    {
        List<SRoomChatNtf> messages = [];
        bool more = false;
        int bytes = 0;
        for (int i = from; i >= 0 && i < _count && !more; i += step)
        {
            ref readonly RoomEvent found = ref At(i);
            if (found.IsMessage)
            {
                more = messages.Count == limit || (messages.Count > 0 && bytes + found.Bytes > pageBytes);
                bytes += found.Bytes;
                if (!more)
                {
                    messages.Add(found.ToHistory(roomId));
                }
            }
        }

        return new HistorySlice(messages, more, LetGoThrough, LastLetGo, Refused, _latest);
    }

    /// <summary>Counts the reactions. All that were made to a message of the ring came after it, so the ring has them.</summary>
    private void AddReactions(List<SRoomChatNtf> messages, long readerId)
    {
        if (messages.Count == 0)
        {
            return;
        }

        Dictionary<long, SRoomChatNtf>? shown = null;
        for (int i = FindAfter(messages[0].Sequence); i < _count; i++)
        {
            ref readonly RoomEvent found = ref At(i);
            if (found.Kind is RoomEventKind.React or RoomEventKind.Unreact)
            {
                shown ??= messages.Where(static message => !message.Deleted).ToDictionary(static message => message.Sequence);
                if (shown.TryGetValue(found.Target, out SRoomChatNtf? message))
                {
                    Count(message.Reactions, in found, readerId);
                }
            }
        }
    }

    private static void Count(RepeatedField<Reaction> reactions, in RoomEvent happened, long readerId)
    {
        string emoji = happened.Text;
        Reaction? counted = reactions.FirstOrDefault(reaction => reaction.Emoji == emoji);
        if (counted is null)
        {
            counted = new Reaction { Emoji = emoji };
            reactions.Add(counted);
        }

        bool isAdded = happened.Kind == RoomEventKind.React;
        counted.Own = happened.Who.PlayerId == readerId ? isAdded : counted.Own;
        counted.Count = isAdded ? counted.Count + 1 : counted.Count - Math.Min(counted.Count, 1);
        if (counted.Count == 0)
        {
            reactions.Remove(counted);
        }
    }

    /// <summary>The place of the first event behind a sequence.</summary>
    private int FindAfter(long sequence)
    {
        int low = 0;
        int high = _count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (At(middle).Sequence > sequence)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return low;
    }

    private void LetGo(in RoomEvent gone)
    {
        if (gone.IsMessage)
        {
            LetGoThrough = LastLetGo = gone.Sequence;
        }
    }

    private void Grow()
    {
        if (_count < _events.Length)
        {
            return;
        }

        var larger = new RoomEvent[Math.Min(maxEvents, Math.Max(8, _events.Length * 2))];
        for (int i = 0; i < _count; i++)
        {
            larger[i] = At(i);
        }

        _events = larger;
        _first = 0;
    }

    private ref RoomEvent At(int index)
    {
        int place = _first + index;
        return ref _events[place < _events.Length ? place : place - _events.Length];
    }
}
