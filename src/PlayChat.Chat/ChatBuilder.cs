using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Extensions;
using PlayChat.Core.Packets;
using PlayChat.Recording;

namespace PlayChat.Chat;

/// <summary>Extends the chat server, before it starts. Not thread-safe.</summary>
/// <remarks>What is added by its type is made once, by the host's services, and its constructor may ask for others of them.</remarks>
public sealed class ChatBuilder
{
    /// <summary>The first id of packets that are not the chat's.</summary>
    public const ushort FirstPacketId = 10_000;

    private static readonly TimeSpan s_maxRuleTimeout = TimeSpan.FromMinutes(1);

    private TimeSpan _ruleTimeout = TimeSpan.FromSeconds(5);

    internal ChatBuilder(IServiceCollection services)
    {
        Services = services;
    }

    /// <summary>The services of the host, for what your rules need.</summary>
    public IServiceCollection Services { get; }

    /// <summary>
    /// How long a login of <see cref="UseAuthenticator"/> or a call of <see cref="IChatRules"/> may take. Default 5 seconds; more than 0,
    /// up to 1 minute. One that takes longer has failed.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its range.</exception>
    public TimeSpan RuleTimeout
    {
        get => _ruleTimeout;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, s_maxRuleTimeout);
            _ruleTimeout = value;
        }
    }

    /// <summary>
    /// What becomes of a request when a rule throws or takes too long. Default <see langword="false"/>: it is refused with UNAVAILABLE, and
    /// its sender may try again. With <see langword="true"/> the server takes it as if that rule allowed it. A failed login is always
    /// refused.
    /// </summary>
    public bool AllowWhenRuleFails { get; set; }

    internal bool HasRules { get; private set; }

    internal PacketSet? Packets { get; private set; }

    internal Action<PacketRouter>? Router { get; private set; }

    internal Action<PlayChatServer>? Server { get; private set; }

    /// <summary>
    /// Lets your code identify the player of each login, before the accounts of the server do. <c>Accounts:AllowPasswordless</c> Auto then
    /// means False.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is one already.</exception>
    public ChatBuilder UseAuthenticator<TAuthenticator>()
        where TAuthenticator : class, IChatAuthenticator
    {
        if (Services.Any(static service => service.ServiceType == typeof(IChatAuthenticator)))
        {
            throw new InvalidOperationException("The chat has an authenticator already; a login is decided in one place.");
        }

        Services.AddSingleton<IChatAuthenticator, TAuthenticator>().AddSingleton<OwnLogin>();
        return this;
    }

    /// <summary>Adds rules. Several are asked in the order in which they were added.</summary>
    public ChatBuilder AddRules<TRules>()
        where TRules : class, IChatRules
    {
        HasRules = true;
        Services.AddSingleton<IChatRules, TRules>();
        return this;
    }

    /// <summary>
    /// Gives each message of a room to a sink after the database, or its spill file, has it: in batches, in each room's order, and again
    /// while the sink fails. What waits is bounded: when the queue needs the space, the sink misses messages, and the log says so.
    /// </summary>
    public ChatBuilder AddSink<TSink>()
        where TSink : class, IChatLogSink
    {
        Services.AddSingleton<IChatLogSink, TSink>();
        return this;
    }

    /// <summary>
    /// Adds packets of your own, and maps them. They need a login, and count for the rate limits, as those of the chat do. A client of
    /// another version ignores a packet that it does not know.
    /// </summary>
    /// <param name="packets">Their ids are 10,000 or more: lower ones are the chat's.</param>
    /// <param name="configure">Maps them, for example by <c>router.MapPacketHandlers()</c>.</param>
    /// <exception cref="ArgumentException">An id is below 10,000.</exception>
    public ChatBuilder AddPackets(PacketSet packets, Action<PacketRouter> configure)
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(configure);
        if (packets.All.FirstOrDefault(static type => type.Id < FirstPacketId) is { } type)
        {
            throw new ArgumentException(
                $"Packet {type.Id} ({type.Name}) has an id of the chat: ids of your own begin at {FirstPacketId}.", nameof(packets));
        }

        (Packets ??= new PacketSet().Add(ChatPackets.All)).Add(packets);
        Router += configure;
        return this;
    }

    /// <summary>Lets operators record rooms of your own, which are not those of the chat, by the admin API and the dashboard.</summary>
    /// <param name="recordings">Records the rooms; of this server alone.</param>
    public ChatBuilder UseRecording(RoomRecordings recordings)
    {
        ArgumentNullException.ThrowIfNull(recordings);
        Services.AddSingleton(recordings);
        return ConfigureServer(server => server.UseRecording(recordings));
    }

    /// <summary>Changes the server itself: adds rooms of your own, or handlers of its events.</summary>
    public ChatBuilder ConfigureServer(Action<PlayChatServer> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        Server += configure;
        return this;
    }
}
