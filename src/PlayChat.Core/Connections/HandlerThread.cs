using System.Runtime.InteropServices;
using PlayChat.Core.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Connections;

/// <summary>What a thread works on while it handles a connection's batch: whose it is, and what its handlers have sent back so far.</summary>
/// <remarks>
/// One a thread. It stays in the processor's cache from one connection to the next, while each connection's own memory is cold
/// when its turn comes; so what only lives as long as a batch is kept here.
/// </remarks>
internal sealed class HandlerThread : IFrameSink
{
    [ThreadStatic]
    private static HandlerThread? s_current;

    private static readonly List<HandlerThread> s_engines = []; // locked while it is used

    private readonly Thread _thread = Thread.CurrentThread;
    private Work _work;

    /// <summary>This thread's own.</summary>
    internal static HandlerThread Current => s_current ??= Create();

    /// <summary>Those of the threads on which no handler may block, because many connections wait for them: event loops and inline socket engines.</summary>
    internal static IReadOnlyList<HandlerThread> Engines
    {
        get
        {
            lock (s_engines)
            {
                s_engines.RemoveAll(static engine => !engine._thread.IsAlive);
                return [.. s_engines];
            }
        }
    }

    /// <summary>What the thread is called.</summary>
    internal string Name => _thread.Name ?? "";

    /// <summary>Frames it has begun to handle since it exists.</summary>
    internal long Frames { get; private set; }

    /// <summary>The header of the frame it handles, or has handled last.</summary>
    internal FrameHeader Header { get; private set; }

    /// <summary>Whose batch is being handled; <see langword="null"/> between batches.</summary>
    internal Connection? Connection => _work.Connection;

    /// <summary>The answers of the batch, as long as they fit one piece of memory and nothing waits before them.</summary>
    internal Segment? Answers
    {
        get => _work.Answers;
        set => _work.Answers = value;
    }

    /// <summary>How many frames those are.</summary>
    internal int AnswerFrames
    {
        get => _work.Frames;
        set => _work.Frames = value;
    }

    /// <summary>How many frames go back as they came, one behind the other: they are sent from where they were received.</summary>
    internal int RunFrames => _work.RunFrames;

    /// <summary>Gives the batch its first piece for answers.</summary>
    /// <param name="answers">Whose hold passes to the batch.</param>
    /// <param name="frames">How many frames it holds already.</param>
    internal void BeginAnswers(Segment answers, int frames)
    {
        _work.Answers = answers;
        _work.Frames = frames;
        _work.RunFrames = 0;
    }

    /// <summary>Begins a run.</summary>
    /// <param name="start">Where in the receive buffer its first frame starts.</param>
    /// <param name="bytes">How long that is.</param>
    /// <param name="room">How many bytes the run may have.</param>
    internal void BeginRun(int start, int bytes, int room)
    {
        _work.RunStart = start;
        _work.RunEnd = start + bytes;
        _work.RunLimit = (int)Math.Min((long)start + room, int.MaxValue);
        _work.RunFrames = 1;
    }

    /// <summary>Adds a frame to the run, if it is the next one.</summary>
    internal bool TryExtendRun(Connection connection, int start, int bytes)
    {
        if (_work.RunFrames == 0 || start != _work.RunEnd || bytes > _work.RunLimit - start || !ReferenceEquals(_work.Connection, connection))
        {
            return false;
        }

        _work.RunEnd = start + bytes;
        _work.RunFrames++;
        return true;
    }

    FrameVerdict IFrameSink.OnFrame(in Frame frame)
    {
        Header = frame.Header;
        Frames++;
        return Connection!.OnFrame(in frame);
    }

    /// <summary>Begins a connection's batch.</summary>
    /// <returns>The batch in whose midst it began, if any (a transport may complete a receive within a send of its peer): for <see cref="End"/>.</returns>
    internal Work Begin(Connection connection)
    {
        Work outer = _work;
        _work = new Work(connection);
        return outer;
    }

    /// <summary>Ends the batch.</summary>
    /// <returns>What became of it.</returns>
    internal Work End(in Work outer)
    {
        Work own = _work;
        _work = outer;
        return own;
    }

    /// <summary>Where the run is in the receive buffer.</summary>
    internal (int Start, int Bytes) Run => (_work.RunStart, _work.RunEnd - _work.RunStart);

    private static HandlerThread Create()
    {
        var made = new HandlerThread();
        if (LocalWork.Current is not null || SocketTransport.IsInlineEngine(Thread.CurrentThread))
        {
            lock (s_engines)
            {
                s_engines.RemoveAll(static engine => !engine._thread.IsAlive); // a loop's thread comes and goes with its links
                s_engines.Add(made);
            }
        }

        return made;
    }

    /// <summary>A batch and its answers.</summary>
    [StructLayout(LayoutKind.Auto)]
    internal record struct Work(Connection? Connection)
    {
        internal Segment? Answers { get; set; }

        internal int Frames { get; set; }

        internal int RunStart { get; set; }

        internal int RunEnd { get; set; }

        internal int RunLimit { get; set; }

        internal int RunFrames { get; set; }
    }
}
