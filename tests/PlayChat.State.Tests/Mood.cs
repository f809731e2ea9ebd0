namespace PlayChat.State.Tests;

public enum Mood : sbyte
{
    Calm,
    Angry = -3,
}
