using System.Diagnostics;
using System.Globalization;
using PlayChat.Protocol;

namespace PlayChat.RoomProbe;

/// <summary>A member of the room that notes when it hears a message of the speaker. Thread-safe.</summary>
internal sealed class Listener
{
    private readonly Speaker _speaker;
    private readonly object _gate = new();
    private readonly List<TimeSpan> _delays = []; // guarded by _gate, as are the others
    private int _heard;
    private (int Number, TaskCompletionSource Reached)? _waiting;

    public Listener(Speaker speaker, ChatClient client)
    {
        _speaker = speaker;
        client.ChatReceived += (_, chat) => Hear(chat.Message.Text);
    }

    /// <summary>The number of the last message up to which all came, in order.</summary>
    public int Heard
    {
        get
        {
            lock (_gate)
            {
                return _heard;
            }
        }
    }

    /// <summary>Takes what each message took since the last call.</summary>
    public TimeSpan[] TakeDelays()
    {
        lock (_gate)
        {
            TimeSpan[] delays = [.. _delays];
            _delays.Clear();
            return delays;
        }
    }

    /// <summary>Completes when all messages up to a number came.</summary>
    public Task HeardAsync(int number)
    {
        lock (_gate)
        {
            if (_heard >= number)
            {
                return Task.CompletedTask;
            }

            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting = (number, reached);
            return reached.Task;
        }
    }

    // What attackers say in the room has no mark. A message out of order is not counted, so it and those after it are lost.
    private void Hear(string text)
    {
        if (!text.StartsWith(Speaker.Mark, StringComparison.Ordinal)
            || !int.TryParse(text.AsSpan(Speaker.Mark.Length), CultureInfo.InvariantCulture, out int number)
            || _speaker.SaidAt(number) is not { } saidAt)
        {
            return;
        }

        lock (_gate)
        {
            if (number == _heard + 1)
            {
                _heard = number;
                _delays.Add(Stopwatch.GetElapsedTime(saidAt));
            }

            if (_waiting is { } waiting && _heard >= waiting.Number)
            {
                waiting.Reached.TrySetResult();
            }
        }
    }
}
