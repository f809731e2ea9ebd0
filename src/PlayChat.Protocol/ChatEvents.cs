using Microsoft.Extensions.Logging;
using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>The subscribers of a client's events, and the end of the session, which is raised once.</summary>
/// <remarks>
/// Subscribers are the application's code: an exception of theirs is logged and goes no further, because it would end the receive loop or
/// the attempts to reconnect.
/// </remarks>
internal sealed class ChatEvents(object sender, ILogger logger)
{
    private readonly TaskCompletionSource<ChatDisconnectedEventArgs> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public event EventHandler<ChatReceivedEventArgs>? ChatReceived;

    public event EventHandler<MemberJoinedEventArgs>? MemberJoined;

    public event EventHandler<PacketEventArgs<SMessageEditedNtf>>? MessageEdited;

    public event EventHandler<PacketEventArgs<SReactionNtf>>? ReactionChanged;

    public event EventHandler<PacketEventArgs<STypingNtf>>? MemberTyping;

    public event EventHandler<PacketEventArgs<SRoomLeftNtf>>? RoomLeft;

    public event EventHandler<PacketEventArgs<SInvitedNtf>>? Invited;

    public event EventHandler<PacketEventArgs<SReportNtf>>? MessageReported;

    public event EventHandler<PacketEventArgs<SRoomEnteredNtf>>? RoomEntered;

    public event EventHandler<DirectChatReceivedEventArgs>? DirectChatReceived;

    public event EventHandler<PacketEventArgs<SDirectSentNtf>>? DirectSentElsewhere;

    public event EventHandler<ServerNoticeEventArgs>? ServerNotice;

    public event EventHandler<ReconnectingEventArgs>? Reconnecting;

    public event EventHandler<ReconnectedEventArgs>? Reconnected;

    public event EventHandler<ChatDisconnectedEventArgs>? Disconnected;

    /// <summary>Completes after <see cref="Disconnected"/> has been raised.</summary>
    public Task<ChatDisconnectedEventArgs> Closed => _closed.Task;

    public void Raise(ChatReceivedEventArgs args) => Raise(ChatReceived, args, nameof(ChatReceived));

    public void Raise(MemberJoinedEventArgs args) => Raise(MemberJoined, args, nameof(MemberJoined));

    public void Raise(SReactionNtf reaction, long missedBefore) =>
        Raise(ReactionChanged, new PacketEventArgs<SReactionNtf>(reaction, missedBefore), nameof(ReactionChanged));

    public void Raise(SMessageEditedNtf edit, long missedBefore) =>
        Raise(MessageEdited, new PacketEventArgs<SMessageEditedNtf>(edit, missedBefore), nameof(MessageEdited));

    public void Raise(SDirectSentNtf sent) => Raise(
        DirectSentElsewhere, new PacketEventArgs<SDirectSentNtf>(sent), nameof(DirectSentElsewhere));

    public void Raise(STypingNtf typing) => Raise(MemberTyping, new PacketEventArgs<STypingNtf>(typing), nameof(MemberTyping));

    public void Raise(SRoomLeftNtf left) => Raise(RoomLeft, new PacketEventArgs<SRoomLeftNtf>(left), nameof(RoomLeft));

    public void Raise(SInvitedNtf invited) => Raise(Invited, new PacketEventArgs<SInvitedNtf>(invited), nameof(Invited));

    public void Raise(SReportNtf report) => Raise(MessageReported, new PacketEventArgs<SReportNtf>(report), nameof(MessageReported));

    public void Raise(SRoomEnteredNtf entered) => Raise(RoomEntered, new PacketEventArgs<SRoomEnteredNtf>(entered), nameof(RoomEntered));

    public void Raise(DirectChatReceivedEventArgs args) => Raise(DirectChatReceived, args, nameof(DirectChatReceived));

    public void Raise(ServerNoticeEventArgs args) => Raise(ServerNotice, args, nameof(ServerNotice));

    public void Raise(ReconnectingEventArgs args) => Raise(Reconnecting, args, nameof(Reconnecting));

    public void Raise(ReconnectedEventArgs args) => Raise(Reconnected, args, nameof(Reconnected));

    /// <summary>Raises the last event. The caller calls it once.</summary>
    public void End(CloseReason reason, string? words)
    {
        var ended = new ChatDisconnectedEventArgs(reason, words);
        Raise(Disconnected, ended, nameof(Disconnected));
        _closed.SetResult(ended);
    }

    private void Raise<TArgs>(EventHandler<TArgs>? handlers, TArgs args, string eventName)
    {
        try
        {
            handlers?.Invoke(sender, args);
        }
        catch (Exception e)
        {
            // Whatever the application's code threw: see the remarks.
            ChatClientLog.HandlerFailed(logger, eventName, e);
        }
    }
}
