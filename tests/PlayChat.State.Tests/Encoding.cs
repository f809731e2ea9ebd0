namespace PlayChat.State.Tests;

/// <summary>A state with its encoder, without a room.</summary>
internal sealed class Encoding<TState>
    where TState : SyncObject
{
    internal Encoding(TState state, StateLimits? limits = null)
    {
        State = state;
        Tracker = new StateTracker(state, (limits ?? new StateLimits()).Checked());
        Encoder = new StateEncoder(Tracker, (limits ?? new StateLimits()).Checked());
    }

    internal TState State { get; }

    internal StateTracker Tracker { get; }

    internal StateEncoder Encoder { get; }

    internal uint Revision => Tracker.Revision;

    /// <summary>Ends a revision.</summary>
    /// <returns>Its patch; empty if clients see no change.</returns>
    internal byte[] Patch()
    {
        if (!Tracker.Begin())
        {
            return [];
        }

        byte[] patch = Encoder.WritePatch().ToArray();
        Tracker.End();
        return patch;
    }

    /// <summary>Ends a revision of a state with views.</summary>
    /// <returns>For each view what its member gets; empty if it sees no change.</returns>
    internal byte[][] Patch(params (StateView View, uint Base)[] members)
    {
        if (!Tracker.Begin())
        {
            return [.. members.Select(static _ => Array.Empty<byte>())];
        }

        byte[][] patches = [.. members.Select(member => Encoder.WriteView(member.View, member.Base).ToArray())];
        Tracker.End();
        return patches;
    }

    internal byte[] Snapshot(StateView? view = null)
    {
        bool hasChange = Tracker.Begin();
        byte[] snapshot = Encoder.WriteSnapshot(view).ToArray();
        if (hasChange)
        {
            Tracker.End();
        }

        return snapshot;
    }
}
