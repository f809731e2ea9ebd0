namespace PlayChat.Core.Connections;

/// <summary>
/// Writes the answers of the batch that is being handled, without a lock, so that they go out as one send when the batch ends.
/// </summary>
/// <remarks>
/// <para>
/// A mutable struct, embedded beside its <see cref="OutboundQueue"/>: never copied. All methods are for the batch's own thread.
/// </para>
/// <para>
/// Invariant: while the queue is corked the answers are in exactly one place: a run of received frames
/// (<see cref="BatchContext.RunFrames"/>), one piece
/// of memory (<see cref="BatchContext.Answers"/>), or <c>_batch</c>. They move only in that order, so the frames keep theirs.
/// </para>
/// </remarks>
internal struct AnswerCork(ConnectionServices services)
{
    private readonly ConnectionServices _services = services;
    private OutboundBatch? _batch;

    /// <summary>
    /// Answers a frame with itself, from where it was received: nothing is copied as long as the frames of a batch go back one behind the
    /// other and the system takes them at once. It took E1 from 1.7 to 1.48 times the CPU time of a server in C. The frame may have come
    /// from another connection than the sender's: it is not relayed then.
    /// </summary>
    internal static bool TryRelay(ref OutboundQueue queue, BatchContext context, FrameSender sender, int start, int bytes)
    {
        if (queue.State != ConnectionState.Open || queue.HasPending)
        {
            return false;
        }

        if (!context.TryExtendRun(sender, start, bytes))
        {
            if (queue.IsCorked || !ReferenceEquals(context.Sender, sender) || queue.RoomForRun(bytes) is not (var room and > 0))
            {
                return false;
            }

            queue.Cork();
            context.BeginRun(start, bytes, room);
        }

        queue.AddCorked(bytes);
        return true;
    }

    /// <summary>Takes room for one answer.</summary>
    internal FramePlace Reserve(ref OutboundQueue queue, BatchContext context, int bytes, out Span<byte> frame)
    {
        frame = default;
        if (!queue.Fits(bytes))
        {
            return FramePlace.None;
        }

        if (context.RunFrames > 0)
        {
            // The relayed frames become answers of the batch, so that this answer can follow them.
            context.BeginAnswers(CopyRun(context.Run, bytes, queue.UsualBytes), context.RunFrames);
        }
        else if (!queue.IsCorked)
        {
            Begin(ref queue, context, bytes);
        }

        if (queue.HasPending)
        {
            GoBehindPending(ref queue, context);
        }

        if (context.Answers is { } answers)
        {
            if (answers.FreeBytes >= bytes)
            {
                frame = answers.Free;
                return FramePlace.Answers;
            }

            BeginBatch(context, answers);
        }

        frame = _batch!.GetSpan(bytes, _services, queue.UsualBytes);
        return FramePlace.Cork;
    }

    /// <summary>Counts the answer that was written where <see cref="Reserve"/> said.</summary>
    internal readonly void EndFrame(ref OutboundQueue queue, FramePlace place, int bytes)
    {
        if (place == FramePlace.Answers)
        {
            BatchContext.Current.AddAnswer(bytes);
        }
        else
        {
            _batch!.Advance(bytes);
        }

        queue.AddCorked(bytes);
    }

    /// <summary>Removes the answers from the batch, in the form that the queue accepts.</summary>
    /// <param name="answers">The batch's one piece of memory, if it has one; its hold passes on.</param>
    /// <param name="work">What became of the batch.</param>
    internal OutboundBatch? Take(Segment? answers, in BatchContext.Work work)
    {
        OutboundBatch? batch = _batch;
        _batch = null;
        if (answers is not null)
        {
            (batch ??= OutboundBatch.Rent()).AddOwned(answers, work.Frames, _services);
        }
        else if (work.RunFrames > 0)
        {
            batch = OutboundBatch.Rent();
            batch.AddOwned(CopyRun(work.Run, 0, 0), work.RunFrames, _services);
        }

        return batch;
    }

    private void Begin(ref OutboundQueue queue, BatchContext context, int bytes)
    {
        // Rent the memory first: if that fails, nothing has changed.
        Segment? answers = queue.HasPending ? null : _services.Pool.RentSegment(Math.Max(bytes, queue.UsualBytes));
        queue.Cork();
        if (answers is not null)
        {
            context.BeginAnswers(answers, frames: 0);
        }
        else
        {
            _batch = queue.TakeForCork() ?? OutboundBatch.Rent(); // what was queued before goes first
        }
    }

    /// <summary>
    /// Puts the next answer behind frames that other threads have sent since the last one, because one of them may have caused it.
    /// </summary>
    private void GoBehindPending(ref OutboundQueue queue, BatchContext context)
    {
        if (context.Answers is { } answers)
        {
            BeginBatch(context, answers);
        }

        if (queue.TakeForCork() is { } pending)
        {
            _batch!.Append(pending);
        }
    }

    private void BeginBatch(BatchContext context, Segment answers)
    {
        _batch = OutboundBatch.Rent();
        _batch.AddOwned(answers, context.AnswerFrames, _services);
        context.Answers = null;
    }

    private readonly Segment CopyRun(ReadOnlySpan<byte> run, int moreBytes, int usualBytes)
    {
        Segment copy = _services.Pool.RentSegment(Math.Max(run.Length + moreBytes, usualBytes));
        run.CopyTo(copy.Array);
        copy.Written = run.Length;
        return copy;
    }
}
