namespace PlayChat.Benchmark.Views;

/// <summary>How a piece of a status line looks.</summary>
internal enum StatusStyle
{
    /// <summary>The terminal's own color.</summary>
    Plain,

    /// <summary>Bold.</summary>
    Bold,

    /// <summary>Gray: less important.</summary>
    Faint,

    /// <summary>Green: the measured phase.</summary>
    Good,

    /// <summary>Yellow: a phase that is not measured.</summary>
    Waiting,

    /// <summary>Red: a fault.</summary>
    Bad,
}
