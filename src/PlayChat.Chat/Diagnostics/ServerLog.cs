using PlayChat.Core;

namespace PlayChat.Chat.Diagnostics;

/// <summary>
/// Log messages of the chat server: event ids 2000–2199. A player, a room and a connection keep their names in all of them.
/// </summary>
internal static partial class ServerLog
{
    /// <summary>The template of <see cref="TelemetryNotSent"/>.</summary>
    internal const string TelemetryNotSentText = "Telemetry was not sent (Telemetry:Otlp:Endpoint): {Problem}";

    [LoggerMessage(2064, LogLevel.Warning, TelemetryNotSentText)]
    public static partial void TelemetryNotSent(ILogger logger, string problem);

    [LoggerMessage(
        2057, LogLevel.Warning,
        "Port {Port} for browsers (Web:Port) is in use by another program. This server runs without the chat page; set Web:Port to another "
            + "port.")]
    public static partial void WebPortTaken(ILogger logger, int port);

    [LoggerMessage(2063, LogLevel.Information, "{Version} starts. Settings other than the defaults: {Settings}.")]
    public static partial void Starting(ILogger logger, string version, string settings);

    [LoggerMessage(
        2065, LogLevel.Information,
        "Ready in mode {Mode} on {EndPoints}. Players log in by name alone: {IsPasswordless}. Database: {Database}. Chat page: "
            + "{WebAddress}. Operations: {OperationsAddress}.")]
    public static partial void Ready(
        ILogger logger,
        Configuration.ServerMode mode,
        string endPoints,
        bool isPasswordless,
        string? database,
        string? webAddress,
        string? operationsAddress);

    [LoggerMessage(2066, LogLevel.Information, "The server was stopped before it was ready.")]
    public static partial void StoppedEarly(ILogger logger);

    [LoggerMessage(
        2000, LogLevel.Information,
        "Player {PlayerId} ({PlayerName}) logged in on connection {ConnectionId} from {RemoteEndPoint} with {ClientVersion}.")]
    public static partial void LoggedIn(
        ILogger logger, long playerId, string playerName, long connectionId, EndPoint? remoteEndPoint, string clientVersion);

    [LoggerMessage(2001, LogLevel.Information, "Player {PlayerId} ({PlayerName}) was registered on connection {ConnectionId}.")]
    public static partial void Registered(ILogger logger, long playerId, string playerName, long connectionId);

    // After a check of the password alone, which takes its time and is throttled: whatever a stranger can make happen faster is Debug.
    [LoggerMessage(
        2002, LogLevel.Information, "A login as {PlayerName} on connection {ConnectionId} from {RemoteEndPoint} was refused: {Code}.")]
    public static partial void LoginRefused(
        ILogger logger, string playerName, long connectionId, EndPoint? remoteEndPoint, Protocol.ErrorCode code);

    [LoggerMessage(
        2003, LogLevel.Information, "Player {PlayerId} on connection {ConnectionId} takes over from connection {OlderConnectionId}.")]
    public static partial void TookOver(ILogger logger, long playerId, long connectionId, long olderConnectionId);

    [LoggerMessage(2004, LogLevel.Information, "Player {PlayerId} ({PlayerName}) on connection {ConnectionId} disconnected: {Reason}.")]
    public static partial void Gone(ILogger logger, long playerId, string playerName, long connectionId, CloseReason reason);

    [LoggerMessage(
        2005, LogLevel.Debug,
        "A login on connection {ConnectionId} from {RemoteEndPoint} was not checked: too many logins "
            + "have failed or registered a name. The client may try again in {RetryAfter}.")]
    public static partial void LoginThrottled(ILogger logger, long connectionId, EndPoint? remoteEndPoint, TimeSpan retryAfter);

    [LoggerMessage(
        2006, LogLevel.Information,
        "Player {PlayerId} ({PlayerName}) resumed on connection {ConnectionId} from {RemoteEndPoint} with {ClientVersion}.")]
    public static partial void Resumed(
        ILogger logger, long playerId, string playerName, long connectionId, EndPoint? remoteEndPoint, string clientVersion);

    [LoggerMessage(2007, LogLevel.Debug, "A resume on connection {ConnectionId} from {RemoteEndPoint} was refused.")]
    public static partial void ResumeRefused(ILogger logger, long connectionId, EndPoint? remoteEndPoint);

    [LoggerMessage(2010, LogLevel.Information, "Player {PlayerId} on connection {ConnectionId} created room {RoomId} ({RoomName}).")]
    public static partial void RoomCreated(ILogger logger, long playerId, long connectionId, long roomId, string roomName);

    [LoggerMessage(2011, LogLevel.Debug, "Player {PlayerId} on connection {ConnectionId} joined room {RoomId} at sequence {Sequence}.")]
    public static partial void RoomJoined(ILogger logger, long playerId, long connectionId, long roomId, long sequence);

    [LoggerMessage(2012, LogLevel.Debug, "Player {PlayerId} on connection {ConnectionId} left room {RoomId}.")]
    public static partial void RoomLeft(ILogger logger, long playerId, long connectionId, long roomId);

    [LoggerMessage(2013, LogLevel.Information, "Room {RoomId} ({RoomName}) is empty and was removed after sequence {Sequence}.")]
    public static partial void RoomRemoved(ILogger logger, long roomId, string roomName, long sequence);

    [LoggerMessage(
        2014, LogLevel.Trace,
        "Room {RoomId}: message {Sequence} of player {PlayerId} on connection {ConnectionId} goes to {Members} members.")]
    public static partial void Broadcast(ILogger logger, long roomId, long sequence, long playerId, long connectionId, int members);

    [LoggerMessage(
        2015, LogLevel.Debug,
        "A login on connection {ConnectionId} from {RemoteEndPoint} was refused without a check of its password: {Code}.")]
    public static partial void LoginNotChecked(ILogger logger, long connectionId, EndPoint? remoteEndPoint, Protocol.ErrorCode code);

    [LoggerMessage(
        2026, LogLevel.Information,
        "A login token of player {PlayerId} was shown on connection {ConnectionId} from {RemoteEndPoint} after it had been replaced. It "
            + "may have been copied, so its device was logged out.")]
    public static partial void LoginTokenReused(ILogger logger, long playerId, long connectionId, EndPoint? remoteEndPoint);

    [LoggerMessage(
        2018, LogLevel.Warning,
        "{Changes} changes of rooms are not in the database; after a restart those rooms may be "
            + "missing, or come back with a gap in their sequences.")]
    public static partial void RoomsNotSaved(ILogger logger, int changes);

    [LoggerMessage(2020, LogLevel.Warning, "A login on connection {ConnectionId} failed, because of the database: {Problem}")]
    public static partial void LoginStorageFailed(ILogger logger, long connectionId, string problem);

    [LoggerMessage(
        2021, LogLevel.Warning,
        "Reading the history of room {RoomId} for connection {ConnectionId} failed, because of the database: {Problem}")]
    public static partial void HistoryStorageFailed(ILogger logger, long roomId, long connectionId, string problem);

    [LoggerMessage(
        2168, LogLevel.Warning,
        "Packet {PacketId} of connection {ConnectionId} about direct messages failed, because of the database: {Problem}")]
    public static partial void DirectStorageFailed(ILogger logger, ushort packetId, long connectionId, string problem);

    [LoggerMessage(2169, LogLevel.Warning, "What players have read of direct messages was not saved; the server tries again: {Problem}")]
    public static partial void MarksNotSaved(ILogger logger, string problem);

    [LoggerMessage(2022, LogLevel.Information, "{Records} messages that an earlier run had left in the spill file are stored.")]
    public static partial void SpillImported(ILogger logger, long records);

    [LoggerMessage(
        2023, LogLevel.Warning,
        "The end of a room was not saved; after a restart the room may exist again, with a gap in its sequences: {Problem}")]
    public static partial void RoomNotSaved(ILogger logger, string problem);

    [LoggerMessage(2024, LogLevel.Error, "The server stops, because it has lost its database: {Problem}")]
    public static partial void DatabaseLost(ILogger logger, string problem);

    [LoggerMessage(2030, LogLevel.Warning, "The server writes no more to the KPI file {Path}, because a write failed: {Problem}")]
    public static partial void KpiFileFailed(ILogger logger, string path, string problem);

    [LoggerMessage(2031, LogLevel.Warning, "The server prints no more tables of figures, because a write to the console failed: {Problem}")]
    public static partial void KpiConsoleFailed(ILogger logger, string problem);

    [LoggerMessage(2040, LogLevel.Information, "The configuration was read again: {Changes}.")]
    public static partial void Reloaded(ILogger logger, string changes);

    [LoggerMessage(2041, LogLevel.Error, "The new configuration is invalid, so the server keeps the one it has. {Problems}")]
    public static partial void ReloadRefused(ILogger logger, string problems);

    [LoggerMessage(2042, LogLevel.Warning, "Restart the server to apply the new values of {Keys}.")]
    public static partial void NeedsRestart(ILogger logger, string keys);

    [LoggerMessage(2043, LogLevel.Information, "Reloaded: {Part}.")]
    public static partial void PartReloaded(ILogger logger, string part);

    [LoggerMessage(2044, LogLevel.Error, "Not reloaded: {Part}. What the server has stays in use. {Problem}")]
    public static partial void PartNotReloaded(ILogger logger, string part, string problem);

    [LoggerMessage(2045, LogLevel.Error, "A reload of the configuration failed.")]
    public static partial void ReloadFailed(ILogger logger, Exception exception);

    [LoggerMessage(2046, LogLevel.Information, "The terminal has closed, so the server stops.")]
    public static partial void TerminalClosed(ILogger logger);

    [LoggerMessage(
        2047, LogLevel.Information,
        "SIGHUP is ignored in this process, because it was started so (nohup): the server neither stops with its terminal nor reads its "
            + "configuration again at SIGHUP. Restart it to apply a changed configuration, change limits by 'PlayChat.Server admin', or "
            + "start it by setsid or a service manager.")]
    public static partial void HangUpIgnored(ILogger logger);

    [LoggerMessage(
        2050, LogLevel.Warning,
        "{EndPoint} is open to other machines without TLS: passwords and messages are readable on the way. Set {TlsKey}, or put a TLS "
            + "proxy in front and name it in {ProxyKey}.")]
    public static partial void PlaintextEndpoint(ILogger logger, EndPoint endPoint, string tlsKey, string proxyKey);

    [LoggerMessage(2051, LogLevel.Information, "Connection {ConnectionId} from {RemoteEndPoint} was refused: {Banned} is banned.")]
    public static partial void AddressBanned(ILogger logger, long connectionId, EndPoint? remoteEndPoint, string banned);

    [LoggerMessage(
        2052, LogLevel.Information,
        "The session of player {PlayerId} ({PlayerName}) on connection {ConnectionId} was ended: {Banned} is banned.")]
    public static partial void SessionBanned(ILogger logger, long playerId, string playerName, long connectionId, string banned);

    [LoggerMessage(
        2053, LogLevel.Warning, "The bans could not be read; those that the server has stay in effect, and it tries again. {Problem}")]
    public static partial void BansNotRead(ILogger logger, string problem);

    [LoggerMessage(
        2058, LogLevel.Warning,
        "The expired bans could not be removed from the database; the others are in effect, and the server tries again. {Problem}")]
    public static partial void BansNotRemoved(ILogger logger, string problem);

    [LoggerMessage(
        2054, LogLevel.Information, "Connection {ConnectionId} from {RemoteEndPoint} spoke HTTP; this port speaks the PlayChat protocol.")]
    public static partial void SpokeHttp(ILogger logger, long connectionId, EndPoint? remoteEndPoint);

    [LoggerMessage(2055, LogLevel.Information, "{Messages} messages older than {Days} days were deleted from the database.")]
    public static partial void MessagesDeleted(ILogger logger, long messages, int days);

    [LoggerMessage(
        2056, LogLevel.Warning, "Old messages could not be deleted from the database; the server tries again in an hour. {Problem}")]
    public static partial void MessagesNotDeleted(ILogger logger, string problem);

    [LoggerMessage(
        2061, LogLevel.Warning,
        "{Database} has not answered since {Since:u}: logins wait. Check that it runs, that this machine reaches it, and that no other "
            + "program locks its tables.")]
    public static partial void DatabaseSilent(ILogger logger, string database, DateTimeOffset since);

    [LoggerMessage(2062, LogLevel.Information, "{Database} is back: it had not answered for {Seconds:0.0} s.")]
    public static partial void DatabaseAnswers(ILogger logger, string database, double seconds);

    [LoggerMessage(2120, LogLevel.Information, "The operations endpoint listens on {Address}.")]
    public static partial void OperationsListening(ILogger logger, Uri address);

    [LoggerMessage(2161, LogLevel.Warning, "The figures of the last 2 s could not be read, so the dashboard lacks a point.")]
    public static partial void FiguresNotTaken(ILogger logger, Exception exception);

    [LoggerMessage(
        2162, LogLevel.Warning, "The operations endpoint refused {Method} {Path} from {RemoteEndPoint}: the token is missing or wrong.")]
    public static partial void TokenRefused(ILogger logger, string method, string path, IPEndPoint remoteEndPoint);

    [LoggerMessage(2172, LogLevel.Information, "The operations endpoint refused {Method} {Path}: the key {Key} lacks the scope.")]
    public static partial void KeyRefused(ILogger logger, string key, string method, string path);

    [LoggerMessage(2163, LogLevel.Warning, "The figures of an interval could not be read; the next interval covers its time as well.")]
    public static partial void IntervalNotTaken(ILogger logger, Exception exception);

    [LoggerMessage(
        2164, LogLevel.Warning,
        "The operations endpoint {Address} takes requests without a token: every user of this machine can stop the server, set passwords "
            + "and read addresses of players. Set Operations:TokenFile to a file that only this server's user can read, or set "
            + "Operations:Token.")]
    public static partial void OperationsOpen(ILogger logger, Uri address);

    [LoggerMessage(
        2280, LogLevel.Information,
        "Draining: not ready for {Seconds:0.###} s, so that load balancers send new clients elsewhere. A second signal ends the server at "
            + "once.")]
    public static partial void DrainBegins(ILogger logger, double seconds);

    [LoggerMessage(
        2310, LogLevel.Warning,
        "The service manager could not be told the state of the server ({Problem}); it may take the server for dead. Such problems are "
            + "logged once. Check NOTIFY_SOCKET and NotifyAccess= of the unit.")]
    public static partial void ServiceManagerNotTold(ILogger logger, string problem);

    [LoggerMessage(
        2403, LogLevel.Information,
        "Handed {Messages} messages of node {NodeId}, which has ended, to the chat log. Those that it had stored are skipped.")]
    public static partial void ClusterStoredFor(ILogger logger, int messages, int nodeId);

    [LoggerMessage(
        2404, LogLevel.Warning, "The cluster's directory or log failed ({Problem}). Joins and logins fail until it works again.")]
    public static partial void ClusterDirectoryFailed(ILogger logger, string problem);

    [LoggerMessage(
        2405, LogLevel.Warning,
        "Records are missing in a log of the cluster ({Reason}, offset {Wanted} to {Found}). The rooms' members are told.")]
    public static partial void ClusterLogGap(ILogger logger, string reason, long wanted, long found);

    [LoggerMessage(2165, LogLevel.Error, "{Rule} failed at packet {PacketId} of connection {ConnectionId}.")]
    public static partial void RuleFailed(ILogger logger, Exception exception, string rule, int packetId, long connectionId);

    [LoggerMessage(2166, LogLevel.Error, "{Authenticator} failed to check a login.")]
    public static partial void AuthenticatorFailed(ILogger logger, Exception exception, string authenticator);
}
