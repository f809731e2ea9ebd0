namespace PlayChat.Generators;

/// <summary>The names that the generator and the analyzer know.</summary>
internal static class Names
{
    public const string Core = "PlayChat.Core"; // the assembly

    public const string MapPacketHandlers = "MapPacketHandlers";

    public const string Packet = "PlayChat.Core.Dispatch.PacketAttribute";
    public const string RequireLogin = "PlayChat.Core.Dispatch.RequireLoginAttribute";
    public const string AllowBeforeLogin = "PlayChat.Core.Dispatch.AllowBeforeLoginAttribute";
    public const string RateLimit = "PlayChat.Core.Dispatch.RateLimitAttribute";
    public const string MaxBodyBytes = "PlayChat.Core.Dispatch.MaxBodyBytesAttribute";
    public const string UseFilter = "PlayChat.Core.Dispatch.UseFilterAttribute";
    public const string Scoped = "PlayChat.Core.Dispatch.ScopedAttribute";

    public const string PacketId = "PlayChat.Core.Packets.PacketIdAttribute";
    public const string JsonPackets = "PlayChat.Core.Packets.JsonPacketsAttribute";
    public const string PacketSet = "PlayChat.Core.Packets.PacketSet";
    public const string PacketTypeOfMessage = "PlayChat.Core.Packets.PacketType`1";
    public const string JsonContext = "System.Text.Json.Serialization.JsonSerializerContext";
    public const string JsonSerializable = "System.Text.Json.Serialization.JsonSerializableAttribute";

    public const string PacketRouter = "PlayChat.Core.Dispatch.PacketRouter";
    public const string PacketContext = "PlayChat.Core.Dispatch.PacketContext";
    public const string PacketFilter = "PlayChat.Core.Dispatch.PacketFilter";
    public const string PacketHandler = "PlayChat.Core.Dispatch.IPacketHandler`1";
    public const string Room = "PlayChat.Core.Rooms.Room";
    public const string RoomPart = "PlayChat.Core.Rooms.RoomPart";
    public const string RoomOfMembers = "PlayChat.Core.Rooms.MemberRoom`1";

    public const string Thread = "System.Threading.Thread";
    public const string Task = "System.Threading.Tasks.Task";
    public const string TaskOfResult = "System.Threading.Tasks.Task`1";
    public const string ValueTask = "System.Threading.Tasks.ValueTask";
    public const string ValueTaskOfResult = "System.Threading.Tasks.ValueTask`1";
}
