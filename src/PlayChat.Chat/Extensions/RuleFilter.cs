using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Chat.Extensions;

/// <summary>Asks the rules about requests, before their handlers or rooms see them. Only in a server that has rules.</summary>
internal sealed class RuleFilter(IServiceProvider services, ChatBuilder builder, TimeProvider time, ILogger<RuleFilter> logger)
    : PacketFilter, IHostedService
{
    private IChatRules[] _rules = [];

    private delegate ValueTask<ChatTextDecision> Question(IChatRules rules, string text, CancellationToken cancellationToken);

    protected override bool SeesSent => false;

    /// <summary>Makes the rules, before anything listens; not earlier, because a rule may ask for the server, which has this
    /// filter.</summary>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _rules = [.. services.GetServices<IChatRules>()];
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    protected override ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        // What is not valid, or comes before the login, is refused by its handler.
        return packet.Context.Session.User is not { } player ? packet.NextAsync() : packet.Message switch
        {
            CCreateRoomReq made when ChatRules.IsRoomName(made.Name) =>
                AskAsync(packet, "", async (rules, _, stop) => Decide(await rules.MayCreateRoomAsync(player, made.Name, stop))),
            CJoinRoomReq join =>
                AskAsync(packet, "", async (rules, _, stop) => Decide(await rules.MayJoinRoomAsync(player, join.RoomId, stop))),
            CRoomChatReq said when ChatText.TryClean(said.Text, out string text) =>
                AskAsync(packet, text, (rules, text, stop) => rules.ReadTextAsync(player, said.RoomId, text, stop)),
            CEditMessageReq said when ChatText.TryClean(said.Text, out string text) =>
                AskAsync(packet, text, (rules, text, stop) => rules.ReadTextAsync(player, said.RoomId, text, stop)),
            CModerateReq set when ChatText.TryClean(set.Action == ModerationAction.SetTopic ? set.Topic : set.Reason, out string text) =>
                AskAsync(packet, text, (rules, text, stop) => rules.ReadTextAsync(player, set.RoomId, text, stop)),
            CDirectChatReq said when ChatText.TryClean(said.Text, out string text) =>
                AskAsync(packet, text, (rules, text, stop) => rules.ReadTextAsync(player, roomId: 0, text, stop)),
            _ => packet.NextAsync(),
        };
    }

    private static ChatTextDecision Decide(string? refusal) => refusal is null ? ChatTextDecision.Keep : ChatTextDecision.Refuse(refusal);

    /// <summary>Asks all rules, and passes the packet on when they allow it.</summary>
    private async ValueTask AskAsync(IncomingPacket packet, string text, Question question)
    {
        CancellationToken gone = packet.Context.Connection.Aborted;
        foreach (IChatRules rule in _rules)
        {
            try
            {
                string current = text; // not the variable: a rule that is left behind must not see a later text
                ChatTextDecision decision = await TimeLimit.RunAsync(
                    stop => question(rule, current, stop), builder.RuleTimeout, time, gone);
                if (decision.Refusal is { } refusal)
                {
                    packet.Context.Fail(ErrorCode.Forbidden, refusal);
                    return;
                }

                text = decision.Text ?? text;
            }
            catch (Exception e)
            {
                if (gone.IsCancellationRequested)
                {
                    return; // there is no connection that an answer could go to
                }

                ServerLog.RuleFailed(logger, e, rule.GetType().Name, packet.Context.PacketId, packet.Context.Session.Id);
                if (!builder.AllowWhenRuleFails)
                {
                    packet.Context.FailRule();
                    return;
                }
            }
        }

        switch (packet.Message)
        {
            case CRoomChatReq said:
                said.Text = text;
                break;
            case CEditMessageReq said:
                said.Text = text;
                break;
            case CModerateReq { Action: ModerationAction.SetTopic } set:
                set.Topic = text;
                break;
            case CModerateReq set:
                set.Reason = text;
                break;
            case CDirectChatReq said:
                said.Text = text;
                break;
        }

        await packet.NextAsync();
    }
}
