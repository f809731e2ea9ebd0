namespace PlayChat.Core.Connections;

/// <summary>
/// A thread's state while it handles a connection's batch: the connection, and the answers that its handlers have sent so far.
/// </summary>
/// <remarks>
/// One for each thread. It stays in the processor's cache from one connection to the next, while each connection's own memory is cold
/// when its turn comes; so what only lives as long as a batch is kept here.
/// </remarks>
internal sealed class BatchContext : IFrameSink
{
    [ThreadStatic]
    private static BatchContext? s_current;

    private static readonly List<BatchContext> s_threads = []; // locked while it is used

    private readonly Thread _thread = Thread.CurrentThread;
    private Work _work;

    /// <summary>This thread's own.</summary>
    internal static BatchContext Current => s_current ??= Create();

    /// <summary>The contexts of all threads that have handled a batch or run a room's turn.</summary>
    internal static IReadOnlyList<BatchContext> Threads
    {
        get
        {
            lock (s_threads)
            {
                s_threads.RemoveAll(static context => !context._thread.IsAlive);
                return [.. s_threads];
            }
        }
    }

    /// <summary>
    /// Whether no handler may block the thread, because many connections wait for it: an event loop or an inline socket engine.
    /// </summary>
    internal bool IsEngine { get; private init; }

    internal string Name => _thread.Name ?? "";

    /// <summary>The number of frames and turns that the thread has begun.</summary>
    internal long Steps { get; private set; }

    /// <summary>The room's turn that the thread runs; <see langword="null"/> between turns.</summary>
    internal IWatchedTurn? Turn { get; private set; }

    /// <summary>
    /// The run of answered requests that the thread continues, by its first request; <see langword="null"/> between runs and for a request
    /// that is continued alone.
    /// </summary>
    internal OpenRequest? RequestRun { get; set; }

    /// <summary>The request that was the next one of the run at the last look of <see cref="RunWatch"/>, whose this is.</summary>
    internal OpenRequest? SeenNext { get; set; }

    /// <summary>Whether further requests follow in the run: what is sent now leaves together with what their continuations send.</summary>
    internal bool IsInRequestRun => RequestRun?.NextOfRun is not null;

    /// <summary>The header of the frame it handles, or has handled last.</summary>
    internal FrameHeader Header { get; private set; }

    /// <summary>The connection whose batch is being handled; <see langword="null"/> between batches.</summary>
    internal Connection? Connection => _work.Loop?.Connection;

    /// <summary>
    /// Throws when the calling thread is in a handler of a connection. What a handler does after an await is not recognized.
    /// </summary>
    /// <exception cref="InvalidOperationException">The caller is such a handler.</exception>
    internal static void RequireNotHandling(Connection connection)
    {
        if (ReferenceEquals(Current.Connection, connection))
        {
            throw new InvalidOperationException(
                "A handler must not await a request to its own peer: the connection receives nothing, and so no answer, until the "
                + "handler returns. Return from the handler and continue in the room, or start the request by Offload.Run and do not "
                + "await it in the handler.");
        }
    }

    /// <summary>The sender of the same connection.</summary>
    internal FrameSender? Sender => _work.Sender;

    /// <summary>The answers of the batch, as long as they fit one piece of memory and nothing waits before them.</summary>
    internal Segment? Answers
    {
        get => _work.Answers;
        set => _work.Answers = value;
    }

    /// <summary>The number of these answers.</summary>
    internal int AnswerFrames => _work.Frames;

    /// <summary>The number of frames of the run: frames, one behind the other, that are sent back from the receive buffer.</summary>
    internal int RunFrames => _work.RunFrames;

    internal ReadOnlySpan<byte> Run => _work.Run;

    /// <summary>Whether a send is under way that reads in the memory in which the batch was received.</summary>
    internal bool KeepsInbound
    {
        get => _work.KeepsInbound;
        set => _work.KeepsInbound = value;
    }

    /// <summary>Gives the batch its first piece for answers.</summary>
    /// <param name="answers">Its hold passes to the batch.</param>
    /// <param name="frames">How many frames it holds already.</param>
    internal void BeginAnswers(Segment answers, int frames)
    {
        _work.Answers = answers;
        _work.Frames = frames;
        _work.RunFrames = 0;
    }

    /// <summary>Counts an answer that was written to <see cref="Answers"/>.</summary>
    internal void AddAnswer(int bytes)
    {
        _work.Answers!.Written += bytes;
        _work.Frames++;
    }

    /// <summary>Begins a run.</summary>
    /// <param name="start">Where in the receive buffer its first frame starts.</param>
    /// <param name="bytes">How long that frame is.</param>
    /// <param name="room">How many bytes the run may have.</param>
    internal void BeginRun(int start, int bytes, int room)
    {
        _work.RunStart = start;
        _work.RunEnd = start + bytes;
        _work.RunLimit = (int)Math.Min((long)start + room, int.MaxValue);
        _work.RunFrames = 1;
    }

    /// <summary>Adds a frame to the run, if it is the next one.</summary>
    internal bool TryExtendRun(FrameSender sender, int start, int bytes)
    {
        if (_work.RunFrames == 0 || start != _work.RunEnd || bytes > _work.RunLimit - start || !ReferenceEquals(_work.Sender, sender))
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
        Steps++;
        return _work.Loop!.OnFrame(in frame);
    }

    internal void BeginTurn(IWatchedTurn turn)
    {
        Turn = turn;
        Steps++;
    }

    internal void EndTurn() => Turn = null;

    /// <summary>Begins a connection's batch.</summary>
    /// <param name="loop">Takes the frames.</param>
    /// <param name="sender">Of the same connection.</param>
    /// <param name="inbound">The memory in which the batch was received.</param>
    /// <returns>
    /// The batch that this thread was handling when this one began, if any (a transport may complete a receive inside a send of its peer).
    /// Pass it to <see cref="End"/>.
    /// </returns>
    internal Work Begin(ReceiveLoop loop, FrameSender sender, Segment inbound)
    {
        Work outer = _work;
        _work = new Work(loop, sender, inbound);
        return outer;
    }

    /// <summary>Removes the answers that the batch has so far. The batch continues without them.</summary>
    internal Work TakeAnswers()
    {
        Work own = _work;
        _work = new Work(own.Loop, own.Sender, own.Inbound) { KeepsInbound = own.KeepsInbound };
        return own;
    }

    /// <summary>Ends the batch.</summary>
    /// <returns>What became of it.</returns>
    internal Work End(in Work outer)
    {
        Work own = _work;
        _work = outer;
        return own;
    }

    private static BatchContext Create()
    {
        var made = new BatchContext { IsEngine = LocalWork.Current is not null || SocketTransport.IsInlineEngine(Thread.CurrentThread) };
        lock (s_threads)
        {
            s_threads.RemoveAll(static context => !context._thread.IsAlive); // threads come and go
            s_threads.Add(made);
        }

        return made;
    }

    /// <summary>A batch and its answers.</summary>
    internal record struct Work(ReceiveLoop? Loop, FrameSender? Sender, Segment? Inbound)
    {
        internal Segment? Answers { get; set; }

        internal int Frames { get; set; }

        internal int RunStart { get; set; }

        internal int RunEnd { get; set; }

        internal int RunLimit { get; set; }

        internal int RunFrames { get; set; }

        internal bool KeepsInbound { get; set; }

        internal readonly ReadOnlySpan<byte> Run => Inbound!.Array.AsSpan(RunStart, RunEnd - RunStart);
    }
}
