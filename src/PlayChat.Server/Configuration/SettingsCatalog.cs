using System.Text.RegularExpressions;
using PlayChat.Protocol;

namespace PlayChat.Server.Configuration;

/// <summary>Every key of the configuration. Help, validation and the defaults are made of it; appsettings.json says the same.</summary>
internal static partial class SettingsCatalog
{
    /// <summary>The section that Serilog reads itself; its keys are Serilog's.</summary>
    public const string SerilogSection = "Serilog";

    /// <summary>Where the first endpoint listens: what --port and --host change.</summary>
    public const string AddressKey = "PlayChat:Endpoints:0:Address";

    /// <summary>All keys, grouped by section.</summary>
    public static IReadOnlyList<Setting> All { get; } =
    [
        Setting.Choice("Mode", "chat", "What the server does with what it receives.", "chat", "echo", "broadcast", "classroom"),
        Setting.Choice("Transport", "sockets", "How bytes are moved: by the runtime's sockets, or by epoll (Linux alone, the fastest).", "sockets", "linux"),
        Setting.Flag("InlineCompletions", false, "Handle what the runtime's sockets receive on their own threads, without a hop to the thread pool (not on Windows)."),
        Setting.Integer("Workers", 0, 0, WorkerThreads.Max, "Threads that handle what is received: those of the thread pool, and with Transport linux as many event loops; 0 leaves it to the runtime."),
        Setting.Integer("MaxFrameBytes", ChatLimits.DefaultMaxClientFrameBytes, 4096, ChatLimits.MaxServerFrameBytes, "Largest frame taken from a client, in bytes; in broadcast and classroom mode at most 65535."),
        Setting.Text(AddressKey, "127.0.0.1:7777", "ADDRESS:PORT such as 127.0.0.1:7777, 0.0.0.0:7777, [::1]:7777 or *:7777", "What the server listens on; port 0 takes a free one. More endpoints are 1, 2, ….", canBeEmpty: false),
        Setting.Text("PlayChat:Endpoints:0:Tls:CertificatePath", "", "a file, or empty for no TLS", "PFX, or PEM with the certificate and its chain."),
        Setting.Text("PlayChat:Endpoints:0:Tls:KeyPath", "", "a file, or empty", "PEM with the private key, where it is not in the certificate's file."),
        Setting.Text("PlayChat:Endpoints:0:Tls:Password", "", "text, or empty for none", "Password of the PFX or of the encrypted key."),
        Setting.Duration("PlayChat:Endpoints:0:Tls:HandshakeTimeout", "00:00:10", "00:00:00.1", "00:05:00", "How long a TLS handshake may take."),
        Setting.Integer("PlayChat:Endpoints:0:Tls:MaxHandshakes", 1000, 1, 1_000_000, "TLS handshakes under way at once; one more connection is refused."),
        Setting.Duration("PlayChat:StopTimeout", "00:00:10", "00:00:00", "00:10:00", "How long a stopping server waits for its rooms and connections."),
        Setting.Flag("PlayChat:Transport:NoDelay", true, "Send small segments at once (TCP_NODELAY)."),
        Setting.Integer("PlayChat:Transport:Backlog", 4096, 1, 65_535, "Connections the system completes before they are accepted."),
        Setting.Integer("PlayChat:Transport:SendBufferBytes", 0, 0, 16_777_216, "The kernel's send buffer a connection; 0 is the system's own, else at least 4096."),
        Setting.Integer("PlayChat:Transport:ReceiveBufferBytes", 0, 0, 16_777_216, "The kernel's receive buffer a connection; 0 is the system's own, else at least 4096."),
        Setting.Flag("PlayChat:Transport:DualStack", true, "An IPv6 endpoint takes IPv4 as well."),
        Setting.Integer("PlayChat:Connections:MaxOutboundBytes", 1_048_576, 4096, 1_073_741_824, "Bytes that may wait to be sent to one peer."),
        Setting.Choice("PlayChat:Connections:SlowConsumer", "Disconnect", "What happens when they are reached.", "Disconnect", "DropNewest", "Wait"),
        Setting.Duration("PlayChat:Connections:CloseTimeout", "00:00:05", "00:00:00.1", "00:10:00", "How long a closing connection may take to deliver what is queued."),
        Setting.Integer("PlayChat:Connections:MaxConnections", 100_000, 1, 10_000_000, "Connections held at once."),
        Setting.Integer("PlayChat:Connections:MaxConnectionsPerAddress", 10_000_000, 1, 10_000_000, "Connections from one address."),
        Setting.Duration("PlayChat:Connections:SilentAfter", "00:00:00.1", "00:00:00", "01:00:00", "Pause after which a connection holds no receive buffer."),
        Setting.Duration("PlayChat:Sessions:LoginTimeout", "00:00:10", "00:00:01", "01:00:00", "How long a peer may take to log in; in chat mode only, the others have no login.", canBeOff: true),
        Setting.Duration("PlayChat:Sessions:IdleTimeout", "00:02:00", "00:00:01", "1.00:00:00", "Silence after which a peer is closed; in chat mode only, the others let peers be silent.", canBeOff: true),
        Setting.Duration("PlayChat:Sessions:HeartbeatInterval", "00:00:30", "00:00:01", "1.00:00:00", "Silence after which a peer is asked for a sign of life (chat mode).", canBeOff: true),
        Setting.Duration("PlayChat:Sessions:SweepInterval", "00:00:01", "00:00:00.01", "00:01:00", "How often these deadlines are looked at."),
        Setting.Integer("PlayChat:Rooms:QueueItems", 1024, 16, 1_048_576, "Jobs that may wait for a room's turn; then its senders wait."),
        Setting.Integer("PlayChat:Rooms:QueueBytes", 262_144, 4096, 1_073_741_824, "Bytes of frames that may wait for a room's turn (broadcast mode); then its senders wait."),
        Setting.Integer("PlayChat:Rooms:MaxItemsPerTurn", 256, 1, 65_536, "Jobs a room takes before it gives its thread to other rooms."),
        Setting.Duration("PlayChat:Rooms:FlushInterval", "00:00:00", "00:00:00", "00:00:01", "The time between two flushes of a busy room; 0 flushes every turn."),
        Setting.Duration("Sessions:ResumeWindow", "00:00:30", "00:00:00", "01:00:00", "How long a player stays in its chat rooms after its connection broke, and may resume; 0 turns that off."),
        Setting.Integer("Sessions:PacketsPerSecond", 0, 0, 1_000_000, "Packets of any kind that one connection may send in a second, and as many at once (chat mode); one more is answered RATE_LIMITED. 0 is no limit: where strangers can reach the server, set three times what your client sends in its busiest second."),
        Setting.Integer("Sessions:RoomsPerMinute", 60, 0, 1_000_000, "Chat rooms that one connection may create in a minute, and as many at once; one more is answered RATE_LIMITED. 0 is no limit."),
        Setting.Integer("Rooms:MaxMembers", 100, 1, ChatLimits.MaxRoomMembers, "Members a chat room takes; in chat mode only, rooms of the broadcast mode take all."),
        Setting.Integer("Rooms:MaxRooms", 10_000, 1, 1_000_000, "Chat rooms there may be at once."),
        Setting.Integer("Rooms:MaxPerPlayer", 100, 1, 10_000, "Chat rooms one player may be in at once."),
        Setting.Integer("Rooms:RecentMessageIds", 1024, 0, 32_768, "client_message_ids that a room remembers of each member, to answer a repeated one: at least the requests that a client has under way at once. 16 bytes each."),
        Setting.Integer("Rooms:HistoryMessages", 1000, 0, 1_000_000, "Newest messages, joins and leaves that a room keeps in memory, for its history and for those who resume."),
        Setting.Integer("Rooms:HistoryBytes", 262_144, 0, 67_108_864, "Bytes they may have on the wire; in memory they take up to three times that."),
        Setting.Integer("Rooms:HistoryOnJoin", 20, 0, 50, "Newest messages, from that memory, that the answer to a join carries."),
        Setting.Integer("Broadcast:Rooms", 1, 1, 100_000, "Rooms of the broadcast mode."),
        Setting.Choice("Storage:Provider", "Sqlite", "Where accounts and chat log are: in a file of this program, or on a database server.", "Sqlite", "SqlServer", "Postgres"),
        Setting.Text("Storage:ConnectionString", "", "that of the server's .NET driver; empty for Sqlite", "How SqlServer or Postgres is reached; best set in the environment, since it holds a password. The driver's pool and its time-outs are keys in it."),
        Setting.Text("Storage:Path", "data/playchat.db", "a file", "The SQLite database; relative to the current directory.", canBeEmpty: false),
        Setting.Integer("Storage:MaxReaders", 4, 1, 64, "SQLite: reads that may run at once."),
        Setting.Duration("Storage:BusyTimeout", "00:00:05", "00:00:00", "00:01:00", "SQLite: longest wait for another program's lock on the database."),
        Setting.Duration("Storage:AcquireTimeout", "00:00:30", "00:00:00.001", "00:10:00", "SQLite: longest wait for a free connection."),
        Setting.Flag("Accounts:AutoRegister", true, "An unknown name is registered at its first login."),
        Setting.Choice("Accounts:AllowPasswordless", "auto", "Where accounts without password log in by name alone; auto is at endpoints that only this machine can reach.", "auto", "true", "false"),
        Setting.Integer("Accounts:PasswordIterations", 600_000, 1_000, 10_000_000, "PBKDF2 iterations of new password hashes."),
        Setting.Integer("Accounts:PasswordConcurrency", 0, 0, 1024, "Password checks that run at once, each on a processor; 0 is one less than there are processors."),
        Setting.Integer("Accounts:MaxPendingPasswords", 1_000, 1, 100_000, "Password checks that may wait or run; one more login is answered as busy. While half of them are taken, so is one of an address (IPv6: one /64 network) that has a tenth."),
        Setting.Integer("Accounts:RegistrationsPerMinute", 60, 0, 1_000_000, "Accounts that may be registered from one address (IPv6: one /64 network) in a minute, and as many at once; further ones wait. 0 is no limit, and this machine itself has none."),
        Setting.Integer("Accounts:FailedLoginsPerName", 5, 1, 1_000_000, "Logins with one name that may fail from one address in a window, and four times as many from all addresses; further ones wait."),
        Setting.Integer("Accounts:FailedLoginsPerAddress", 50, 1, 1_000_000, "Logins that may fail from one address (IPv6: one /64 network) in a window, with whatever names; further ones wait."),
        Setting.Duration("Accounts:FailedLoginWindow", "00:05:00", "00:00:01", "1.00:00:00", "How long failed logins count; each gives way to a further one when its share of the window has passed."),
        Setting.Integer("Accounts:FailedLoginEntries", 100_000, 1, 10_000_000, "Names and addresses of which failed logins are remembered; beyond, those that count least are forgotten."),
        Setting.Text("ChatLog:Directory", "logs/chat", "a folder, or empty for no file", "Where the chat log's files are, one a day; relative to the current directory."),
        Setting.Choice("ChatLog:Durability", "Async", "When a message is heard: Async at once, and a killed server may lose the newest; Stored when the database has it.", "Async", "Stored"),
        Setting.Text("ChatLog:SpillFile", "data/chat-spill.bin", "a file, or empty for none", "Takes messages while the database is away and the queue nearly full (Async); relative to the current directory."),
        Setting.Integer("ChatLog:SpillBytes", 1_073_741_824, 65_536, 1_099_511_627_776, "Most that may wait in that file, which may itself grow to twice that; then the queue fills."),
        Setting.Integer("ChatLog:QueueRecords", 100_000, 1, 10_000_000, "Messages accepted and not yet stored."),
        Setting.Integer("ChatLog:QueueBytes", 67_108_864, 65_536, 17_179_869_184, "Memory those may take, in bytes."),
        Setting.Choice("ChatLog:FullPolicy", "Count", "What happens when that queue is full: Count goes on and counts what is not stored, Wait slows the senders (always under Stored).", "Count", "Wait"),
        Setting.Duration("ChatLog:FullTimeout", "00:00:05", "00:00:00", "00:10:00", "Longest wait of a sender under Wait or Stored; then it is told that the storage is unavailable."),
        Setting.Duration("ChatLog:FlushInterval", "00:00:00.1", "00:00:00", "00:01:00", "Longest time a message waits for its batch to fill (Async); under Stored a batch fills while the one before is stored."),
        Setting.Integer("ChatLog:BatchRecords", 1_000, 1, 100_000, "Most messages of one batch."),
        Setting.Duration("ChatLog:StopTimeout", "00:00:30", "00:00:00", "01:00:00", "How long a stopping server may take to store what was accepted."),
        Setting.Duration("Kpi:Interval", "00:00:10", "00:00:00.1", "1.00:00:00", "How often figures are taken."),
        Setting.Text("Kpi:JsonFile", "", "a file, or empty for none", "One JSON object a line: at start, each interval, at stop."),
        Setting.Text("Kpi:CsvFile", "", "a file, or empty for none", "One line of comma-separated values each interval and at stop."),
        Setting.Flag("Kpi:Table", true, "Print the figures of intervals in which something happened."),
    ];

    /// <summary>Finds the setting behind a key, whatever its case; endpoints of every number are one setting.</summary>
    /// <returns><see langword="null"/> when there is none.</returns>
    public static Setting? Find(string key)
    {
        string pattern = EndpointNumber().Replace(key, "Endpoints:0:");
        return All.FirstOrDefault(setting => setting.Key.Equals(pattern, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a key is one of Serilog's.</summary>
    public static bool IsSerilog(string key) => key.StartsWith(SerilogSection + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>The known word that is most like an unknown one, or null when none is.</summary>
    public static string? FindSimilar(string word, IEnumerable<string> known)
    {
        (string Word, int Distance) best = known
            .Select(candidate => (Word: candidate, Distance: Distance(word.ToUpperInvariant(), candidate.ToUpperInvariant())))
            .MinBy(static candidate => candidate.Distance);
        // Two letters that changed places are two changes.
        return best.Distance <= Math.Clamp(word.Length / 4, word.Length < 4 ? 1 : 2, 5) ? best.Word : null;
    }

    // Levenshtein's: how many letters must be changed, added or left out.
    private static int Distance(string a, string b)
    {
        int[] row = Enumerable.Range(0, b.Length + 1).ToArray();
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(changed, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[b.Length];
    }

    [GeneratedRegex("Endpoints:[0-9]{1,3}:", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex EndpointNumber();
}
