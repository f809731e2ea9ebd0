namespace PlayChat.Generators.Tests.Game;

internal enum PacketId : ushort
{
    Login = 1,
    Greet = 2,
    Wait = 3,
    Count = 4,
    Limited = 5,
    Join = 6,
    Move = 7,
    Ping = 8,
    Look = 9,
    Answer = 300,
    Sight = 301,
    Wave = 400,
}
