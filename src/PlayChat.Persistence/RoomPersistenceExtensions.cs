using PlayChat.Core.Hosting;

namespace PlayChat.Persistence;

/// <summary>Lets rooms survive a restart of their server.</summary>
public static class RoomPersistenceExtensions
{
    /// <summary>
    /// Saves the rooms with <see cref="RoomSettings.IsPersistent"/> at an interval and when the server stops, and continues them at the
    /// next start, also after a crash: <c>OnRestore</c> gets the state, and the members are away until their clients resume.
    /// </summary>
    /// <remarks>
    /// <para>A member comes back by its resume token, which needs <see cref="SessionOptions.ResumeWindow"/> and a store for tokens
    /// (<c>UseResumeStore</c>, for example <see cref="FileResumeStore"/>). A member that is not back within the window after the start
    /// leaves; so does one whose user logs in anew, because the later login has the user. A session without a user is not saved.</para>
    /// <para>After a restart members have sessions with new ids. Know players by <see cref="SessionUser.Id"/> in the state of a
    /// room.</para>
    /// </remarks>
    /// <param name="server">The server.</param>
    /// <param name="store">The store; it outlives the server and is not disposed.</param>
    /// <param name="configure">Changes the options. Called at once.</param>
    /// <returns>The server.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="InvalidOperationException">The server has a room store already, or has started.</exception>
    public static PlayChatServer UseRoomStore(
        this PlayChatServer server, IRoomStore store, Action<RoomPersistenceOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(store);
        var options = new RoomPersistenceOptions();
        configure?.Invoke(options);
        options.Validate();
        return server.UsePart(running => new RoomPersistence(store, options, running));
    }
}
