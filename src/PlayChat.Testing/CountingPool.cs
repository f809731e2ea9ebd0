using System.Buffers;

namespace PlayChat.Testing;

/// <summary>A pool for tests. It counts arrays that were rented and not returned, and overwrites returned arrays, so that code that
/// still reads them fails. Thread-safe.</summary>
/// <remarks>
/// Every array is new and as long as was asked for, so it is for tests alone. For a whole server: <see
/// cref="Core.Hosting.PlayChatServer.UsePool"/>, and
/// <see cref="VerifyAsync"/> when it has stopped, since until then it keeps buffers for reuse.
/// </remarks>
public sealed class CountingPool : ArrayPool<byte>
{
    /// <summary>The byte that fills returned memory.</summary>
    public const byte Poison = 0xDD;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly HashSet<byte[]> _rented = new(ReferenceEqualityComparer.Instance); // guarded by _gate, like the next
    private TaskCompletionSource? _allReturned;
    private long _rents;

    /// <summary>The number of arrays that were rented.</summary>
    public long Rents => Interlocked.Read(ref _rents);

    /// <summary>Arrays that were rented and not returned.</summary>
    public int InUse
    {
        get
        {
            lock (_gate)
            {
                return _rented.Count;
            }
        }
    }

    /// <inheritdoc/>
    public override byte[] Rent(int minimumLength)
    {
        byte[] array = new byte[minimumLength];
        lock (_gate)
        {
            _rents++;
            _rented.Add(array);
        }

        return array;
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The array is not rented from here: returned twice, or another's.</exception>
    public override void Return(byte[] array, bool clearArray = false)
    {
        ArgumentNullException.ThrowIfNull(array);
        TaskCompletionSource? allReturned = null;
        lock (_gate)
        {
            if (!_rented.Remove(array))
            {
                throw new InvalidOperationException(
                    $"An array of {array.Length} bytes came back that is not rented: it was returned twice, or is another pool's.");
            }

            if (_rented.Count == 0)
            {
                allReturned = _allReturned;
                _allReturned = null;
            }
        }

        array.AsSpan().Fill(Poison);
        allReturned?.SetResult();
    }

    /// <summary>Completes when everything has been returned.</summary>
    /// <param name="patience">How long to wait for what others are about to return, by the system's clock. Default 5 seconds.</param>
    /// <exception cref="InvalidOperationException">Something leaked.</exception>
    public async Task VerifyAsync(TimeSpan? patience = null)
    {
        Task allReturned;
        lock (_gate)
        {
            if (_rented.Count == 0)
            {
                return;
            }

            _allReturned ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            allReturned = _allReturned.Task;
        }

        try
        {
            await allReturned.WaitAsync(patience ?? s_patience).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            int[] left;
            lock (_gate)
            {
                left = [.. _rented.Select(static array => array.Length)];
            }

            throw new InvalidOperationException(
                $"{left.Length} of {Rents} arrays were not returned; their bytes: {string.Join(", ", left.Take(20))}.", e);
        }
    }
}
