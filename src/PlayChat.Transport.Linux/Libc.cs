[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.System32)]

namespace PlayChat.Transport.Linux;

/// <summary>The system calls of this transport and their constants, which are the same on x64 and arm64.</summary>
internal static unsafe partial class Libc
{
    internal const int AddressFamilyIPv4 = 2;
    internal const int AddressFamilyIPv6 = 10;
    internal const int Stream = 1;
    internal const int NonBlocking = 0x800; // SOCK_NONBLOCK, EFD_NONBLOCK
    internal const int CloseOnExec = 0x80000; // SOCK_CLOEXEC, EPOLL_CLOEXEC, EFD_CLOEXEC

    internal const int LevelSocket = 1;
    internal const int ReuseAddress = 2;
    internal const int SocketTypeOption = 3;
    internal const int SocketErrorOption = 4;
    internal const int SendBuffer = 7;
    internal const int ReceiveBuffer = 8;
    internal const int AcceptsConnections = 30; // SO_ACCEPTCONN
    internal const int SocketFamilyOption = 39; // SO_DOMAIN
    internal const int LevelTcp = 6;
    internal const int NoDelay = 1;
    internal const int LevelIPv4 = 0;
    internal const int BindAddressNoPort = 24; // IP_BIND_ADDRESS_NO_PORT
    internal const int LevelIPv6 = 41;
    internal const int OnlyIPv6 = 26;

    internal const int NoSignal = 0x4000; // MSG_NOSIGNAL: a broken link is an error code, not SIGPIPE
    internal const int ShutdownSend = 1;
    internal const int ShutdownBoth = 2;
    internal const int ControlAdd = 1;
    internal const int ControlDelete = 2;
    internal const int GetStatusFlags = 3; // F_GETFL
    internal const int SetStatusFlags = 4; // F_SETFL

    private const int EpollPWait2 = 441; // __NR_epoll_pwait2
    private const int SchedBatch = 3; // SCHED_BATCH of linux/sched.h

    private static volatile bool s_waitsExactly = true; // until epoll_pwait2 has failed once

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    internal static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    internal static partial int EpollControl(int epoll, int operation, int fd, void* epollEvent);

    /// <summary>epoll_wait. With valid arguments only EINTR can happen, so the error is not kept.</summary>
    [LibraryImport("libc", EntryPoint = "epoll_wait")]
    internal static partial int EpollWait(int epoll, void* events, int maxEvents, int timeoutMilliseconds);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    internal static partial int EventFd(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "read")]
    internal static partial nint Read(int fd, void* buffer, nint bytes);

    [LibraryImport("libc", EntryPoint = "write")]
    internal static partial nint Write(int fd, void* buffer, nint bytes);

    [LibraryImport("libc", EntryPoint = "close")]
    internal static partial int Close(int fd);

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    internal static partial int Socket(int family, int type, int protocol);

    [LibraryImport("libc", EntryPoint = "setsockopt", SetLastError = true)]
    internal static partial int SetSocketOption(int fd, int level, int option, void* value, uint bytes);

    [LibraryImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    internal static partial int GetSocketOption(int fd, int level, int option, void* value, uint* bytes);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int FileControl(int fd, int command, nint argument);

    [LibraryImport("libc", EntryPoint = "bind", SetLastError = true)]
    internal static partial int Bind(int fd, void* address, uint bytes);

    [LibraryImport("libc", EntryPoint = "listen", SetLastError = true)]
    internal static partial int Listen(int fd, int backlog);

    [LibraryImport("libc", EntryPoint = "accept4", SetLastError = true)]
    internal static partial int Accept(int fd, void* address, uint* bytes, int flags);

    [LibraryImport("libc", EntryPoint = "connect", SetLastError = true)]
    internal static partial int Connect(int fd, void* address, uint bytes);

    [LibraryImport("libc", EntryPoint = "getsockname", SetLastError = true)]
    internal static partial int GetSocketName(int fd, void* address, uint* bytes);

    [LibraryImport("libc", EntryPoint = "shutdown", SetLastError = true)]
    internal static partial int Shutdown(int fd, int how);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    internal static partial nint Receive(int fd, void* buffer, nint bytes, int flags);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    internal static partial nint Send(int fd, void* buffer, nint bytes, int flags);

    [LibraryImport("libc", EntryPoint = "sendmsg", SetLastError = true)]
    internal static partial nint SendMessage(int fd, MessageHeader* message, int flags);

    /// <summary>
    /// epoll_wait with a timeout that is exact from kernel 5.11 on, and rounded up to a millisecond before. A negative time counts as zero.
    /// </summary>
    internal static int EpollWait(int epoll, void* events, int maxEvents, TimeSpan timeout)
    {
        long ticks = Math.Max(0, timeout.Ticks);
        if (s_waitsExactly)
        {
            (long seconds, long rest) = Math.DivRem(ticks, TimeSpan.TicksPerSecond);
            long* time = stackalloc long[] { seconds, rest * TimeSpan.NanosecondsPerTick };
            nint count = SystemCall(EpollPWait2, epoll, events, maxEvents, time, null, 0);
            if (count >= 0 || Marshal.GetLastPInvokeError() == LinuxErrors.Interrupted)
            {
                return (int)count;
            }

            s_waitsExactly = false; // an older kernel, or a sandbox that blocks the call
        }

        return EpollWait(epoll, events, maxEvents, (int)((ticks + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond));
    }

    /// <summary>Sets an option whose value is an int.</summary>
    internal static int SetSocketOption(int fd, int level, int option, int value) =>
        SetSocketOption(fd, level, option, &value, sizeof(int));

    /// <summary>Takes the pending error of a socket (SO_ERROR).</summary>
    internal static int TakeError(int fd)
    {
        int error = 0;
        uint bytes = sizeof(int);
        return GetSocketOption(fd, LevelSocket, SocketErrorOption, &error, &bytes) < 0 ? Marshal.GetLastPInvokeError() : error;
    }

    /// <summary>Makes the calling thread a batch thread, so that it gathers events instead of interrupting other threads.</summary>
    /// <remarks>
    /// Threads that it starts (of the pool, or of the rooms' clock) are no batch threads, because the runtime gives each the usual policy.
    /// In a natively compiled program they are, and may be late by a time slice on a busy processor. Measured in bench/README.md, "Next to
    /// C".
    /// </remarks>
    internal static void GatherEventsHere()
    {
        int priority = 0; // the only priority that a batch thread may have
        _ = SetScheduler(0, SchedBatch, in priority); // if the system refuses, the loop works as well, only slower
    }

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    private static partial int SetScheduler(int thread, int policy, in int priority);

    // The C library has a function for it only since glibc 2.35, and musl has none.
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(
        nint number, nint epoll, void* events, nint maxEvents, long* timeout, void* mask, nint maskBytes);
}
